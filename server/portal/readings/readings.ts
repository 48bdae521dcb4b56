// The readings of a customer: data for its counts, as last fetched. Decides how long they are fresh and what to fetch next.
import type { CustomerAttention } from '#shared/answers/portal.ts'
import { ATTENTION_FRESH_MS, type AttentionKind, type PlanLevel } from '#shared/attention.ts'
import type { Plan } from '../../inventory/worker/due-services.ts'
import type { UsageLevel } from '../../usage-metrics.ts'

/** The counts that each part provides. Each part is fetched by one function. The count of alarms comes from portal/alarms. */
export const PARTS = {
  services: ['servicesEnded', 'servicesEnding'],
  backups: ['withoutBackup'],
  plans: ['plansExceeded', 'plansWarning']
} as const satisfies Record<string, readonly [AttentionKind, ...AttentionKind[]]>
export type Part = keyof typeof PARTS
export const PART_NAMES = Object.keys(PARTS) as Part[]
/** Parts that can be fetched only after the services. */
export const BUILT_ON_SERVICES: readonly Part[] = ['backups', 'plans']

/** Time after which a failed part is fetched again. */
const RETRY_MS = 60_000
/** Maximum number of plans that are fetched per customer, one call each. Further plans count as unread. */
export const PLANS_MAX = 2_000

export interface Read {
  readAt: number
}
export interface PlanRead {
  plan: Plan
  level?: UsageLevel
  /** Percent of the plan limit; null for a plan without a limit. */
  percent?: number | null
  /** Milliseconds since 1970; missing until the usage is fetched. */
  readAt?: number
}

/** Totals of a customer's plans. Stored, because they are used far more often than they change. */
interface PlanTotals {
  exceeded: number
  warning: number
  unread: number
  /** When the oldest usage was fetched; undefined if none was fetched. */
  oldestReadAt: number | undefined
}

/** The readings of one customer for callers of one visibility. Replaced by a new object when a count may have changed. */
export interface Readings {
  services?: Read & { ended: number; ending: number; recover: readonly string[] }
  backups?: Read & { missing: number }
  /** The plans by uuid of their device. */
  plans: Map<string, PlanRead>
  planTotals: PlanTotals
  /** Number of plans above PLANS_MAX, which are not fetched. */
  plansBeyond: number
  failedAt: Partial<Record<Part, number>>
  /** When the customer last changed. */
  changedAt: number
  /** The counts that this or another replica stored before this process had readings. */
  last?: CustomerAttention['counts']
}

export function noReadings(): Readings {
  return { plans: new Map(), planTotals: totalsOf([]), plansBeyond: 0, failedAt: {}, changedAt: 0 }
}

/** Computes the totals of the plans again. */
export function withTotals(readings: Readings): Readings {
  return { ...readings, planTotals: totalsOf(readings.plans.values()) }
}

function totalsOf(plans: Iterable<PlanRead>): PlanTotals {
  const totals: PlanTotals = { exceeded: 0, warning: 0, unread: 0, oldestReadAt: undefined }
  for (const { level, readAt } of plans) {
    if (level === 'exceeded' || level === 'warning') totals[level] += 1
    if (readAt === undefined) totals.unread += 1
    else totals.oldestReadAt = Math.min(totals.oldestReadAt ?? readAt, readAt)
  }
  return totals
}

/** A customer, and the counts that a caller requests. */
export interface CustomerKinds {
  customerId: string
  kinds: readonly AttentionKind[]
}

/** Times in milliseconds since 1970. Readings older than `notBefore` are fetched again. */
export interface Now {
  nowMs: number
  notBefore: number
}

type Candidate = CustomerKinds & { readings: Readings | undefined }

/** Finds the customer whose part to fetch next: one of `first`, then any other. Null if no customer is due. */
export function nextCustomer(
  part: Part,
  customers: readonly Candidate[],
  now: Now,
  first: ReadonlySet<string>
): string | null {
  const firstCustomers = customers.filter(({ customerId }) => first.has(customerId))
  return mostUrgent(part, firstCustomers, now) ?? mostUrgent(part, customers, now)
}

/**
 * For plans, the customer with the fewest unread plans; otherwise the customer whose part was never fetched, or whose last
 * fetch is the oldest.
 */
function mostUrgent(part: Part, customers: readonly Candidate[], now: Now): string | null {
  let next: string | null = null
  let lowestOrder = Number.POSITIVE_INFINITY
  for (const { customerId, kinds, readings } of customers) {
    if (!isWanted(part, kinds) || isWaiting(part, readings, now.nowMs) || !isDue(part, readings, now))
      continue
    const unread = part === 'plans' ? (readings?.planTotals.unread ?? 0) : 0
    const triedAt = Math.max(readAtOf(part, readings) ?? 0, readings?.failedAt[part] ?? 0)
    const order = unread > 0 ? unread - PLANS_MAX : triedAt
    if (order >= lowestOrder) continue
    next = customerId
    lowestOrder = order
  }
  return next
}

function isDue(part: Part, readings: Readings | undefined, now: Now): boolean {
  if (part !== 'plans') {
    const notBefore = Math.max(now.notBefore, readings?.changedAt ?? 0)
    return isOld(part, readings?.[part]?.readAt, now.nowMs, notBefore)
  }
  if (readings === undefined || readings.plans.size === 0) return false
  return (
    readings.planTotals.unread > 0 || isOld(part, readings.planTotals.oldestReadAt, now.nowMs, now.notBefore)
  )
}

/** Whether a part is fetched for these counts. Services are also fetched for the parts that need them. */
function isWanted(part: Part, kinds: readonly AttentionKind[]): boolean {
  const hasKind = (name: Part) => PARTS[name].some((kind) => kinds.includes(kind))
  return hasKind(part) || (part === 'services' && BUILT_ON_SERVICES.some(hasKind))
}

function isWaiting(part: Part, readings: Readings | undefined, nowMs: number): boolean {
  const failedAt = readings?.failedAt[part]
  if (failedAt !== undefined && nowMs - failedAt < RETRY_MS && failedAt <= nowMs) return true
  return BUILT_ON_SERVICES.includes(part) && readings?.services === undefined
}

/** Treats a reading from the future as old, because the clock may have been set back. */
function isOld(part: Part, readAt: number | undefined, nowMs: number, notBefore: number): boolean {
  if (readAt === undefined || readAt > nowMs) return true
  return readAt < notBefore || nowMs - readAt >= ATTENTION_FRESH_MS[PARTS[part][0]]
}

export function readAtOf(part: Part, readings: Readings | undefined): number | undefined {
  if (part !== 'plans') return readings?.[part]?.readAt
  return readings?.planTotals.oldestReadAt
}

/** The plans whose usage to fetch next: those whose usage was never fetched, otherwise those fetched longest ago. */
export function nextPlans({ plans }: Readings, count: number): PlanRead[] {
  const unread = [...plans.values()].filter(({ readAt }) => readAt === undefined)
  if (unread.length > 0) return unread.slice(0, count)
  return [...plans.values()].sort((a, b) => (a.readAt ?? 0) - (b.readAt ?? 0)).slice(0, count)
}

/** Combines the current plans with the usage in the previous readings. */
export function plansOf(previous: Readings, plans: readonly Plan[]): Pick<Readings, 'plans' | 'plansBeyond'> {
  const entries = plans
    .slice(0, PLANS_MAX)
    .map((plan): [string, PlanRead] => [plan.deviceUuid, { ...previous.plans.get(plan.deviceUuid), plan }])
  return { plans: new Map(entries), plansBeyond: plans.length - entries.length }
}

/** Removes the data of a part that the upstream refused. */
export function withoutPart(readings: Readings, part: Part): Readings {
  if (part === 'plans')
    return {
      ...readings,
      ...plansOf(
        noReadings(),
        [...readings.plans.values()].map(({ plan }) => plan)
      )
    }
  const { [part]: _removed, ...remaining } = readings
  return remaining
}

/** Percent of the plan limit by device uuid, for devices at this usage level. */
export function usageAt(readings: Readings | undefined, level: PlanLevel): Map<string, number> {
  const plans = [...(readings?.plans ?? [])].filter(([, read]) => read.level === level)
  return new Map(plans.map(([uuid, { percent }]) => [uuid, percent ?? 0]))
}

/** Whether the usage of all plans is known, so that `usageAt` is complete. */
export function plansAreKnown(readings: Readings | undefined): boolean {
  return readings?.services !== undefined && plansUnread(readings) === 0
}

export const plansUnread = ({ planTotals, plansBeyond }: Readings) => planTotals.unread + plansBeyond
