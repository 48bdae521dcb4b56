// The list of saved reports: searched, filtered and sorted here, for it comes from several customers.
import { CUSTOM_RANGE } from './date-range.ts'
import type { Report } from './report.ts'

/** What a list is sorted by, in words. */
export const REPORT_SORTS = {
  reportName: 'name',
  customerName: 'customer',
  createdBy: 'owner',
  modified: 'last change'
} as const
export type ReportSort = keyof typeof REPORT_SORTS

export interface ReportFilter {
  q: string
  /** Empty filters nothing. */
  customers: readonly string[]
  /** A full name: the list knows its owners by nothing else. */
  owner: string | null
  kinds: readonly string[]
}

export function findReports(
  all: readonly Report[],
  { q, customers, owner, kinds }: ReportFilter,
  sort: ReportSort,
  order: 'asc' | 'desc'
): Report[] {
  const wanted = q.trim().toLowerCase()
  const matches = (report: Report) =>
    [
      report.reportName,
      ...report.points.flatMap(({ pointName, deviceName }) => [pointName, deviceName])
    ].some((text) => text?.toLowerCase().includes(wanted))
  const kindOf = ({ filter }: Report) => (filter === CUSTOM_RANGE ? 'fixed' : 'relative')
  const found = all.filter(
    (report) =>
      matches(report) &&
      (customers.length === 0 || customers.includes(report.customerId)) &&
      (owner === null || report.createdBy === owner) &&
      (kinds.length === 0 || kinds.includes(kindOf(report)))
  )
  const sign = order === 'asc' ? 1 : -1
  const keyOf = (report: Report) => (report[sort] ?? '').toLowerCase()
  return found.sort(
    (a, b) => sign * keyOf(a).localeCompare(keyOf(b), 'en') || a.reportName.localeCompare(b.reportName, 'en')
  )
}
