// Calls of `/api/v1/charts-and-reports`: fetches a saved report.
import type { Report } from '#shared/answers/files.ts'
import { problems } from '../errors.ts'
import type { CustomerSource } from './client.ts'
import { raw } from './fields.ts'

/** Fetches a report of the customer. Any field may be missing. Throws a 404 problem if it belongs to another customer. */
export async function fetchReport(
  { client, customerId, bearer, signal }: CustomerSource,
  reportId: string
): Promise<Partial<Report>> {
  const path = `/api/v1/charts-and-reports/${encodeURIComponent(customerId)}/report/${encodeURIComponent(reportId)}`
  const report = raw(await client.get('CHARTS_AND_REPORTS', path, bearer, signal)) as Partial<Report>
  if (report.customerId !== undefined && report.customerId !== customerId) throw problems.notFound()
  return report
}
