import type { Usage } from '#shared/answers/portal.ts'
import { calls } from '#shared/calls.ts'
import { USAGE_LIMIT_PERCENT } from '#shared/limits.ts'
import { formatNumber } from '../../../lib/format.ts'
import { get, type QueryResult, useQuery } from '../../../lib/http/query.ts'

/** The usage of a device's data-services plan. */
export function useUsage(customerId: string, deviceUuid: string): QueryResult<Usage> {
  return useQuery(calls.usage(customerId, deviceUuid), get<Usage>)
}

const ROUNDING_ERROR = 1e-6

/** A share of the plan limit as text with one decimal. Rounding never crosses the limit. */
export function percentText(percent: number): string {
  const tenths = percent * 10
  const roundedTenths =
    percent > USAGE_LIMIT_PERCENT ? Math.ceil(tenths - ROUNDING_ERROR) : Math.floor(tenths + ROUNDING_ERROR)
  return `${formatNumber(roundedTenths / 10)} %`
}
