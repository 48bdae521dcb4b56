// What has been read of a customer for the counts, how long it may serve, and what is to be read next. Pure.
import {
  ATTENTION_FRESH_MS,
  type AttentionKind,
  type CustomerAttention,
  type PlanLevel
} from '#shared/attention.ts'
import type { UsageLevel } from '#shared/usage.ts'
import type { Plan } from '../../inventory/due-services.ts'

/** What is read at a time, and the counts that come of it. */
export const PARTS = {
  services: ['servicesEnded', 'servicesEnding'],
  alarms: ['alarms'],
  backups: ['withoutBackup'],
  plans: ['plansExceeded', 'plansWarning']
} as const satisfies Record<string, readonly [AttentionKind, ...AttentionKind[]]>
export type Part = keyof typeof PARTS
export const PART_NAMES = Object.keys(PARTS) as Part[]
/** What needs the services to be read before. */
export const BUILT_ON_SERVICES: readonly Part[] = ['backups', 'plans']

/** A part that could not be read is left alone for so long. */
const RETRY_MS = 60_000
/** Each plan takes a call; those beyond count as unread. */
export const PLANS_MAX = 2_000

export interface Read {
  readAt: number
}
export interface PlanRead {
  plan: Plan
  level?: UsageLevel
  /** Of the plan limit; null without one. */
  percent?: number | null
  /** Milliseconds since 1970; missing until it was read. */
  readAt?: number
}

/** Sums over the plans of a customer, which are thousands: they are asked for far more often than plans are read. */
interface PlanTotals {
  exceeded: number
  warning: number
  unread: number
  /** Of the plans that were read; undefined while none is. */
  oldestReadAt: number | undefined
}

/** Of one customer, as those of one visibility see it. Replaced, not changed, when a count may be another one. */
export interface Readings {
  services?: Read & { ended: number; ending: number; recover: readonly string[] }
  alarms?: Read & { count: number }
  backups?: Read & { missing: number }
  /** By uuid of the device. */
  plans: Map<string, PlanRead>
  planTotals: PlanTotals
  /** Plans beyond those that are read. */
  plansBeyond: number
  failedAt: Partial<Record<Part, number>>
  /** Something of the customer has changed then. */
  changedAt: number
  /** The counts as they were before this process read anything. */
  last?: CustomerAttention['counts']
}

export function noReadings(): Readings {
  return { plans: new Map(), planTotals: totalsOf([]), plansBeyond: 0, failedAt: {}, changedAt: 0 }
}

/** The same readings with the totals of their plans as they are now. */
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
  /** Those that the caller may see. */
  kinds: readonly AttentionKind[]
}

export interface Job {
  customerId: string
  part: Part
}

interface DueJob extends Job {
  /** Of what is to be read anew; undefined where nothing has been read. */
  readAt: number | undefined
  /** Read, or tried in vain: what fails again and again lets the others have their turn. */
  triedAt: number
  /** Calls that it takes to have all of it. */
  unread: number
}

export interface Now {
  nowMs: number
  /** What was read before is read again. */
  notBefore: number
  /** Counts up with each job: plans take many, and half of the turns at most. */
  turn: number
}

/**
 * What is read next: first what was never read of services, alarms and backups, customer by customer; then plans, those of
 * customers with few of them first, in turn with what is too old, what was tried longest ago first. Null when nothing is due.
 */
export function nextJob(
  customers: readonly Watched[],
  readingsOf: (customerId: string) => Readings | undefined,
  now: Now
): Job | null {
  const due = customers.flatMap((customer) => dueJobs(customer, readingsOf(customer.customerId), now))
  const unread = due.filter(({ part, readAt }) => part !== 'plans' && readAt === undefined)
  const first = least(unread, ({ triedAt }) => triedAt)
  if (first) return first
  const plans = least(
    due.filter(({ part, unread }) => part === 'plans' && unread > 0),
    ({ unread }) => unread
  )
  const old = least(
    due.filter(({ readAt }) => readAt !== undefined),
    ({ triedAt }) => triedAt
  )
  return (now.turn % 2 === 0 ? (plans ?? old) : (old ?? plans)) ?? null
}

function dueJobs({ customerId, kinds }: Watched, readings: Readings | undefined, now: Now): DueJob[] {
  return PART_NAMES.filter((part) => isWanted(part, kinds) && !isWaiting(part, readings, now.nowMs)).flatMap(
    (part) => {
      const readAt = readAtOf(part, readings)
      const unread = part === 'plans' && readings ? readings.planTotals.unread : 0
      const since = part === 'plans' ? now.notBefore : Math.max(now.notBefore, readings?.changedAt ?? 0)
      const isDue =
        unread > 0 || (hasSomething(part, readings) && isOld(part, readAt, { ...now, notBefore: since }))
      if (!isDue) return []
      const triedAt = Math.max(readAt ?? 0, readings?.failedAt[part] ?? 0)
      return [{ customerId, part, readAt: unread > 0 ? undefined : readAt, triedAt, unread }]
    }
  )
}

/** Services are the ground of others, so that they are read for all of them. */
function isWanted(part: Part, kinds: readonly AttentionKind[]): boolean {
  const wanted = (one: Part) => PARTS[one].some((kind) => kinds.includes(kind))
  return wanted(part) || (part === 'services' && BUILT_ON_SERVICES.some(wanted))
}

function isWaiting(part: Part, readings: Readings | undefined, nowMs: number): boolean {
  const failedAt = readings?.failedAt[part]
  if (failedAt !== undefined && nowMs - failedAt < RETRY_MS && failedAt <= nowMs) return true
  return BUILT_ON_SERVICES.includes(part) && readings?.services === undefined
}

/** A customer without plans has none to read. */
const hasSomething = (part: Part, readings: Readings | undefined) =>
  part !== 'plans' || (readings !== undefined && readings.plans.size > 0)

/** Of what was read in the future, by a clock that was set back since, nobody knows the age. */
function isOld(part: Part, readAt: number | undefined, { nowMs, notBefore }: Now): boolean {
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

/** The plans that there are now, with what is known of those that were there before. */
export function plansOf(before: Readings, plans: readonly Plan[]): Pick<Readings, 'plans' | 'plansBeyond'> {
  const known = plans
    .slice(0, PLANS_MAX)
    .map((plan): [string, PlanRead] => [plan.deviceUuid, { ...before.plans.get(plan.deviceUuid), plan }])
  return { plans: new Map(known), plansBeyond: plans.length - known.length }
}

/** A part that was refused is forgotten. */
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

/** The devices whose usage stands so, as far as it is known: by uuid, in percent of the plan limit. */
export function usageAt(readings: Readings | undefined, level: PlanLevel): Map<string, number> {
  const plans = [...(readings?.plans ?? [])].filter(([, read]) => read.level === level)
  return new Map(plans.map(([uuid, { percent }]) => [uuid, percent ?? 0]))
}

/** Whether more devices may follow: no plan is left unread. */
export function plansAreKnown(readings: Readings | undefined): boolean {
  return readings?.services !== undefined && plansUnread(readings) === 0
}

export const plansUnread = ({ planTotals, plansBeyond }: Readings) => planTotals.unread + plansBeyond

function least<T>(items: readonly T[], of: (item: T) => number): T | undefined {
  return items.toSorted((one, other) => of(one) - of(other))[0]
}
