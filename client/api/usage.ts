import { type Load, useLoad } from './use-load.ts'

/** What a device used of its data-services plan, and how it is to be shown (§9). Amounts in GB. */
export interface Usage {
  /** Null when it is not known. */
  planLimit: number | null
  /** Of the subscription, ISO 8601 UTC. */
  startDate: string
  endDate: string
  used: number
  /** Null without a plan limit; more than 100 beyond it. */
  percent: number | null
  level: 'ok' | 'warning' | 'exceeded'
  over: number
  /** In percent of the bar's width. */
  bar: { fill: number; baseline: number }
  title: string | null
  text: string | null
  period: 'Monthly' | 'Yearly'
  /** Whether the points are drawn; otherwise the banner says why not. */
  graph: boolean
  banner: string | null
  /** By time: days of the last month, or months of the last year. */
  points: { time: string; value: number }[]
}

export function useUsage(customerId: string, deviceUuid: string): Load<Usage> {
  const customer = `/api/portal/v1/customers/${encodeURIComponent(customerId)}`
  return useLoad<Usage>(`${customer}/devices/${encodeURIComponent(deviceUuid)}/usage`)
}
