import type { Usage } from '#shared/usage.ts'
import { type Load, useLoad } from '../../lib/http/query.ts'

export type { Usage }

/** What a device used of its data-services plan, and how it is to be shown. */
export function useUsage(customerId: string, deviceUuid: string): Load<Usage> {
  const customer = `/api/portal/v1/customers/${encodeURIComponent(customerId)}`
  return useLoad<Usage>(`${customer}/devices/${encodeURIComponent(deviceUuid)}/usage`)
}
