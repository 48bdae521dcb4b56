// The readings of a customer, how long they are fresh, and which is read next. Pure.
import type { CustomerAttention } from '#shared/answers/portal.ts'
import { ATTENTION_FRESH_MS, type AttentionKind, type PlanLevel } from '#shared/attention.ts'
import type { UsageLevel } from '#shared/usage.ts'
import type { Plan } from '../../inventory/due-services.ts'

/** The counts that each part yields. */
export const PARTS = {
  services: ['servicesEnded', 'servicesEnding'],
  alarms: ['alarms'],
  backups: ['withoutBackup'],
  plans: ['plansExceeded', 'plansWarning']
} as const satisfies Record<string, readonly [AttentionKind, ...AttentionKind[]]>
export type Part = keyof typeof PARTS
export const PART_NAMES = Object.keys(PARTS) as Part[]
/** Parts that need the services first. */
export const BUILT_ON_SERVICES: readonly Part[] = ['backups', 'plans']

/** A part that failed is read again after this long. */
const RETRY_MS = 60_000
/** Each plan takes a call; further plans count as unread. */
export const PLANS_MAX = 2_000

export interface Read {
  readAt: number
}
export interface PlanRead {
  plan: Plan
  level?: UsageLevel
  /** Percent of the plan limit; null without one. */
  percent?: number | null
  /** Milliseconds since 1970; missing until it was read. */
  readAt?: number
}

/** Totals of a customer's plans, computed once because they are used far more often than plans are read. */
interface PlanTotals {
  exceeded: number
  warning: number
  unread: number
  /** The oldest time of a read plan; undefined without any. */
  oldestReadAt: number | undefined
}

/** The readings of one customer for one visibility. Replaced, not changed, when a count may differ. */
export interface Readings {
  services?: Read & { ended: number; ending: number; recover: readonly string[] }
  alarms?: Read & { count: number }
  backups?: Read & { missing: number }
  /** By uuid of the device. */
  plans: Map<string, PlanRead>
  planTotals: PlanTotals
  /** Number of plans above PLANS_MAX, which are not read. */
  plansBeyond: number
  failedAt: Partial<Record<Part, number>>
  /** When the customer last changed. */
  changedAt: number
  /** The stored counts from before the start of this process. */
  last?: CustomerAttention['counts']
}

export function noReadings(): Readings {
  return { plans: new Map(), planTotals: totalsOf([]), plansBeyond: 0, failedAt: {}, changedAt: 0 }
}

/** The readings with current totals of their plans. */
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

/** A customer whose counts are wanted. */
export interface Watched {
  customerId: string
  /** The counts that the caller may see. */
  kinds: readonly AttentionKind[]
}

/** Readings from before `notBefore` are read again. In milliseconds since 1970. */
export interface Now {
  nowMs: number
  notBefore: number
}

/**
 * The next customer to read a part of: for plans the one with the fewest unread plans, otherwise the one that was tried
 * longest ago or never. Null if nothing is due.
 */
export function nextCustomer(
  part: Part,
  customers: readonly (Watched & { readings: Readings | undefined })[],
  now: Now
): string | null {
  let next: string | null = null
  let least = Number.POSITIVE_INFINITY
  for (const { customerId, kinds, readings } of customers) {
    if (!isWanted(part, kinds) || isWaiting(part, readings, now.nowMs) || !isDue(part, readings, now))
      continue
    const unread = part === 'plans' ? (readings?.planTotals.unread ?? 0) : 0
    const triedAt = Math.max(readAtOf(part, readings) ?? 0, readings?.failedAt[part] ?? 0)
    const order = unread > 0 ? unread - PLANS_MAX : triedAt
    if (order >= least) continue
    next = customerId
    least = order
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

/** Services are also read for the parts that need them. */
function isWanted(part: Part, kinds: readonly AttentionKind[]): boolean {
  const wanted = (one: Part) => PARTS[one].some((kind) => kinds.includes(kind))
  return wanted(part) || (part === 'services' && BUILT_ON_SERVICES.some(wanted))
}

function isWaiting(part: Part, readings: Readings | undefined, nowMs: number): boolean {
  const failedAt = readings?.failedAt[part]
  if (failedAt !== undefined && nowMs - failedAt < RETRY_MS && failedAt <= nowMs) return true
  return BUILT_ON_SERVICES.includes(part) && readings?.services === undefined
}

/** A reading from the future is old, because the clock may have been set back. */
function isOld(part: Part, readAt: number | undefined, nowMs: number, notBefore: number): boolean {
  if (readAt === undefined || readAt > nowMs) return true
  return readAt < notBefore || nowMs - readAt >= ATTENTION_FRESH_MS[PARTS[part][0]]
}

export function readAtOf(part: Part, readings: Readings | undefined): number | undefined {
  if (part !== 'plans') return readings?.[part]?.readAt
  return readings?.planTotals.oldestReadAt
}

/** The plans that are read next: those never read, or else the oldest. */
export function nextPlans({ plans }: Readings, many: number): PlanRead[] {
  const unread = [...plans.values()].filter(({ readAt }) => readAt === undefined)
  if (unread.length > 0) return unread.slice(0, many)
  return [...plans.values()].sort((a, b) => (a.readAt ?? 0) - (b.readAt ?? 0)).slice(0, many)
}

/** The current plans with their known usage. */
export function plansOf(before: Readings, plans: readonly Plan[]): Pick<Readings, 'plans' | 'plansBeyond'> {
  const known = plans
    .slice(0, PLANS_MAX)
    .map((plan): [string, PlanRead] => [plan.deviceUuid, { ...before.plans.get(plan.deviceUuid), plan }])
  return { plans: new Map(known), plansBeyond: plans.length - known.length }
}

/** Removes a refused part. */
export function withoutPart(readings: Readings, part: Part): Readings {
  if (part === 'plans')
    return {
      ...readings,
      ...plansOf(
        noReadings(),
        [...readings.plans.values()].map(({ plan }) => plan)
      )
    }
  const { [part]: _gone, ...others } = readings
  return others
}

/** Percent of the plan limit by device uuid, for devices at this usage level. */
export function usageAt(readings: Readings | undefined, level: PlanLevel): Map<string, number> {
  const plans = [...(readings?.plans ?? [])].filter(([, read]) => read.level === level)
  return new Map(plans.map(([uuid, { percent }]) => [uuid, percent ?? 0]))
}

/** Whether all plans were read, so that no more devices can follow. */
export function plansAreKnown(readings: Readings | undefined): boolean {
  return readings?.services !== undefined && plansUnread(readings) === 0
}

export const plansUnread = ({ planTotals, plansBeyond }: Readings) => planTotals.unread + plansBeyond
