// Computes the usage metrics of a data-services subscription (.github/product.md#usage).
import type { Subscription } from '#shared/answers/customers.ts'
import type { Usage } from '#shared/answers/portal.ts'
import {
  USAGE_BAR_BASELINE_PERCENT,
  USAGE_BAR_SCALE_PERCENT,
  USAGE_LIMIT_PERCENT,
  USAGE_WARNING_PERCENT
} from '#shared/limits.ts'
import type { Message } from '#shared/messages.ts'
import { isActive } from '#shared/terms.ts'

/** Minimum age of a subscription for a yearly history, and for a graph. */
const USAGE_YEARLY_MONTHS = 13
const USAGE_GRAPH_MONTHS = 2

/** Shown when the usage is near or over the plan limit; `overGb` is the excess. */
export const USAGE_WARNING: Message = {
  title: 'Usage Warning',
  text: 'Data usage is approaching the limit'
}
export const usageExceeded = (overGb: string): Message => ({
  title: 'Usage Limit Exceeded',
  text: `Your usage has exceeded the plan limit by ${overGb} GB`
})
export const USAGE_WITHOUT_GRAPH =
  "Due to the short subscription duration (less than two months), we can't plot the graph and the usage is shown in the metrics bar."

export type UsageLevel = Usage['level']
export type UsagePeriod = Usage['period']
export type UsagePoint = Usage['points'][number]

/** The active data-services subscription; without one, or among several, the one that ends last. */
export function planOf(subscriptions: readonly Subscription[], nowMs: number): Subscription | undefined {
  const endOf = ({ endDate }: Subscription) => Date.parse(endDate) || 0
  const activeAt = (subscription: Subscription) =>
    Number(isActive({ startMs: Date.parse(subscription.startDate), endMs: endOf(subscription) }, nowMs))
  return subscriptions
    .filter(({ offeringCode }) => offeringCode === 'NDS')
    .sort((a, b) => activeAt(b) - activeAt(a) || endOf(b) - endOf(a))[0]
}

/** Maximum amount of one point, more than any device sends. A larger amount is an error and would make sums useless. */
const POINT_MAX_GB = 1e9
/** Amounts in GB are rounded to six decimals. */
const PRECISION = 1e6

/** The history is yearly if the subscription is older than 13 months. An invalid start date counts as new. */
export function usagePeriod(startDate: string, nowMs: number): UsagePeriod {
  return isOlderThan(startDate, USAGE_YEARLY_MONTHS, nowMs) ? 'Yearly' : 'Monthly'
}

/** Maps the upstream's object, with times as keys and GB as values, to points sorted by time. Skips invalid entries. */
export function usagePoints(map: unknown): UsagePoint[] {
  if (typeof map !== 'object' || map === null || Array.isArray(map)) return []
  return Object.entries(map)
    .map(([time, value]) => ({ ms: timeOf(time), value }))
    .filter(({ ms, value }) => !Number.isNaN(ms) && typeof value === 'number' && Number.isFinite(value))
    .sort((a, b) => a.ms - b.ms)
    .map(({ ms, value }) => ({ time: new Date(ms).toISOString(), value: amount(value) }))
}

/** The usage and the texts, as screens show them. */
export function usageOf(
  { planLimit, startDate, endDate }: Pick<Subscription, 'planLimit' | 'startDate' | 'endDate'>,
  points: UsagePoint[],
  nowMs: number
): Usage {
  const limit = planLimit !== undefined && planLimit > 0 ? planLimit : null
  const used = precise(points.reduce((sum, { value }) => sum + value, 0))
  const level = levelOf(used, limit)
  const over = limit === null ? 0 : precise(Math.max(0, used - limit))
  const percent = limit === null ? null : precise((used / limit) * 100)
  const message = { ok: null, warning: USAGE_WARNING, exceeded: usageExceeded(gigabytes(over)) }[level]
  const graph = isOlderThan(startDate, USAGE_GRAPH_MONTHS, nowMs)
  return {
    planLimit: limit,
    startDate,
    endDate,
    used,
    percent,
    level,
    over,
    bar: {
      fill: (Math.min(percent ?? 0, USAGE_BAR_SCALE_PERCENT) / USAGE_BAR_SCALE_PERCENT) * 100,
      baseline: USAGE_BAR_BASELINE_PERCENT
    },
    title: message?.title ?? null,
    text: message?.text ?? null,
    period: usagePeriod(startDate, nowMs),
    graph,
    banner: graph ? null : USAGE_WITHOUT_GRAPH,
    points
  }
}

/** The level of usage. Compares products, because 80 % of a limit may have no exact floating-point value. */
function levelOf(used: number, limit: number | null): UsageLevel {
  if (limit === null) return 'ok'
  if (used * 100 > limit * USAGE_LIMIT_PERCENT) return 'exceeded'
  return used * 100 >= limit * USAGE_WARNING_PERCENT ? 'warning' : 'ok'
}

/** An amount with at most two decimals, and at least 0.01. */
function gigabytes(amount: number): string {
  return String(Math.max(0.01, Math.round(amount * 100) / 100))
}

/** Whether a date is more than `months` calendar months ago, in UTC. If a month has no such day, its last day counts. */
function isOlderThan(date: string, months: number, nowMs: number): boolean {
  const start = new Date(date)
  const dueDate = new Date(start)
  dueDate.setUTCMonth(start.getUTCMonth() + months)
  if (dueDate.getUTCDate() !== start.getUTCDate()) dueDate.setUTCDate(0)
  return dueDate.getTime() < nowMs
}

/** Milliseconds since 1970 of an ISO 8601 text; NaN for any other, such as a plain number. */
function timeOf(text: string): number {
  return /^\d{4}-\d\d-\d\d(T|$)/.test(text) ? Date.parse(text) : Number.NaN
}

/** Limits an amount to 0 … POINT_MAX_GB. */
function amount(value: unknown): number {
  return Math.min(Math.max(0, Number(value)), POINT_MAX_GB)
}

function precise(value: number): number {
  return Math.round(value * PRECISION) / PRECISION
}
