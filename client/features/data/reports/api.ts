// Saved reports. The API lists the reports of one customer per call, so a few customers are fetched at a time.
import pLimit from 'p-limit'
import { useSWRConfig } from 'swr'
import type { CustomerCard } from '#shared/answers/customers.ts'
import type { Report as ReportModel } from '#shared/answers/files.ts'
import type { Page } from '#shared/answers/parts.ts'
import { calls } from '#shared/calls.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import { allPages, halPage } from '../../../lib/http/hal.ts'
import { get, type QueryResult, useKeyOf, useQuery } from '../../../lib/http/query.ts'
import { request } from '../../../lib/http/request.ts'
import { PARTIAL_RETRY_MS } from '../../../lib/limits.ts'
import { type Report, type ReportBody, reportOf } from './report.ts'

const CUSTOMERS_AT_ONCE = 4
export interface ReportList {
  reports: Report[]
  /** Names of the customers whose reports could not be loaded. */
  missing: string[]
}

type ReportCustomer = Pick<CustomerCard, 'id' | 'orgName' | 'scope'>

export function useReportCustomers(organizationId: string | null): QueryResult<ReportCustomer[]> {
  const path = organizationId && `${calls.customers(organizationId)}?keyword=&page=0&size=${PAGE_SIZE_MAX}`
  const { data, ...result } = useQuery(path, get<Page<CustomerCard>>)
  return { ...result, data: data?.items }
}

const LIST_KEY = '/reports of '

/** The reports of the customers. `missing` names each customer whose reports could not be loaded. */
export function useReports(customers: readonly ReportCustomer[] | undefined): QueryResult<ReportList> {
  return useQuery(
    customers === undefined ? null : `${LIST_KEY}${customers.map(({ id }) => id).join()}`,
    (_name, signal) => fetchAll(customers ?? [], signal),
    { refreshInterval: (list) => (list?.missing.length ? PARTIAL_RETRY_MS : 0) }
  )
}

async function fetchAll(customers: readonly ReportCustomer[], signal: AbortSignal): Promise<ReportList> {
  const limit = pLimit(CUSTOMERS_AT_ONCE)
  const answers = await Promise.allSettled(
    customers.map((customer) => limit(() => fetchOf(customer, signal)))
  )
  const failures = answers.filter((answer) => answer.status === 'rejected')
  signal.throwIfAborted()
  if (failures[0] && failures.length === answers.length) throw failures[0].reason
  return {
    reports: answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
    missing: customers.flatMap(({ orgName }, at) => (answers[at]?.status === 'rejected' ? orgName : []))
  }
}

function fetchOf({ id, orgName }: ReportCustomer, signal: AbortSignal): Promise<Report[]> {
  const asReport = (model: ReportModel) => reportOf({ ...model, customerId: id, customerName: orgName })
  const readReports = allPages(halPage('reports', asReport))
  return readReports(`${calls.reports(id)}?size=100&sort=lastModifiedDate,desc`, signal)
}

export function useReport(customerId: string, reportId: string | null): QueryResult<Report> {
  const path = reportId && calls.report(customerId, reportId)
  const { data, ...result } = useQuery(path, get<ReportModel>, { revalidateOnFocus: false })
  return { ...result, data: data && reportOf({ ...data, customerId }) }
}

/** Changes a customer's reports and updates the cached lists in place. */
export function useReportChanges({ id, orgName }: Omit<ReportCustomer, 'scope'>) {
  const { mutate } = useSWRConfig()
  const keyOf = useKeyOf()

  async function update(reportId: string, model: ReportModel | null) {
    const changedReports = model ? [reportOf({ ...model, customerId: id, customerName: orgName })] : []
    const isList = (key: unknown) => Array.isArray(key) && String(key[2]).startsWith(LIST_KEY)
    await mutate(keyOf(calls.report(id, reportId)), model ?? undefined, { revalidate: false })
    await mutate<ReportList>(
      isList,
      (list) =>
        list && {
          ...list,
          reports: [...list.reports.filter((report) => report.reportId !== reportId), ...changedReports]
        },
      { revalidate: false }
    )
  }

  return {
    async create(body: ReportBody): Promise<string> {
      const call = { method: 'POST', body } as const
      const model = await request<Pick<ReportModel, 'reportId'>>(calls.newReport(id), call)
      await update(model.reportId, { ...body, ...model })
      return model.reportId
    },
    async change(reportId: string, body: Partial<ReportBody>) {
      await update(reportId, await request(calls.report(id, reportId), { method: 'PATCH', body }))
    },
    async remove(reportId: string) {
      await request<void>(calls.report(id, reportId), { method: 'DELETE' })
      await update(reportId, null)
    }
  }
}
