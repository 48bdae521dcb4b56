import type { Usage } from '#shared/answers/portal.ts'
import { USAGE_LIMIT_PERCENT } from '#shared/limits.ts'
import { formatNumber } from '../../lib/format.ts'
import { type Load, useLoad } from '../../lib/http/query.ts'

/** The usage of a device's data-services plan. */
export function useUsage(customerId: string, deviceUuid: string): Load<Usage> {
  const customer = `/api/portal/v1/customers/${encodeURIComponent(customerId)}`
  return useLoad<Usage>(`${customer}/devices/${encodeURIComponent(deviceUuid)}/usage`)
}

const ROUNDING_ERROR = 1e-6

/** The share of a plan in tenths of a percent; rounding never crosses the limit. */
export function percentText(percent: number): string {
  const tenths = percent * 10
  const whole =
    percent > USAGE_LIMIT_PERCENT ? Math.ceil(tenths - ROUNDING_ERROR) : Math.floor(tenths + ROUNDING_ERROR)
  return `${formatNumber(whole / 10)} %`
}
