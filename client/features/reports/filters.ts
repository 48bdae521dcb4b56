// The list of saved reports: searched, filtered and sorted here, for it comes from several customers.
import { CUSTOM_RANGE } from '../../lib/time/date-range.ts'
import { listOf } from '../../lib/use-list-query.ts'
import { type Filter, severalOf } from '../../ui/list/filters/filters.tsx'
import type { Report } from './report.ts'

/** The list's state in the address, as it is when the address says nothing. */
export const REPORTS_VIEW = {
  q: '',
  customer: '',
  owner: '',
  kind: '',
  sort: 'modified',
  order: 'desc',
  page: '1'
}

type View = typeof REPORTS_VIEW

export function reportFilters(customers: readonly { id: string; orgName: string }[]): Filter<View>[] {
  const { field, ...customer } = severalOf<View>(
    'customer',
    'Customer',
    customers.map(({ id, orgName }) => ({ value: id, label: orgName }))
  )
  return [
    customers.length > 1 && field ? { ...customer, field } : customer,
    severalOf('owner', 'Owner', [{ value: 'me', label: 'Me' }]),
    severalOf('kind', 'Range', [
      { value: 'relative', label: 'Relative range' },
      { value: 'fixed', label: 'Fixed range' }
    ])
  ]
}

const SORTS = ['reportName', 'customerName', 'createdBy', 'modified'] as const

export function sortedBy(view: View): { sort: (typeof SORTS)[number]; order: 'asc' | 'desc' } {
  const sort = SORTS.find((one) => one === view.sort) ?? 'modified'
  return { sort, order: view.order === 'asc' ? 'asc' : 'desc' }
}

/** @param me a full name: the list knows its owners by nothing else */
export function findReports(all: readonly Report[], view: View, me: string): Report[] {
  const wanted = view.q.trim().toLowerCase()
  const customers = listOf(view.customer)
  const kinds = listOf(view.kind)
  const { sort, order } = sortedBy(view)
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
      (view.owner !== 'me' || report.createdBy === me) &&
      (kinds.length === 0 || kinds.includes(kindOf(report)))
  )
  const sign = order === 'asc' ? 1 : -1
  const keyOf = (report: Report) => (report[sort] ?? '').toLowerCase()
  return found.sort(
    (a, b) => sign * keyOf(a).localeCompare(keyOf(b), 'en') || a.reportName.localeCompare(b.reportName, 'en')
  )
}
