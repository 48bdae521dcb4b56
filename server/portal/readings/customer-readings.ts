// What has been read of one customer: data for its counts and lists, as last read. Pure.
import type { CustomerAttention } from '#shared/answers/portal.ts'
import { ATTENTION, type PlanLevel } from '#shared/attention.ts'
import { WORKLIST_ROWS_MAX } from '#shared/worklists.ts'
import type { DueDevice, DueService, Plan } from '../../inventory/worker/due-services.ts'
import type { UsageLevel } from '../../usage-metrics.ts'
import type { AlarmReading } from './alarm-reading.ts'
import type { Part } from './parts.ts'

/** Maximum number of plans that are read per customer, one call each. Further plans count as unread. */
export const PLANS_MAX = 2_000
/** Time until a plan is read again whose read failed. */
export const PLAN_RETRY_MS = 60_000

export interface Read {
  /** The start of the read, in milliseconds since 1970. */
  readAt: number
}
export interface PlanRead {
  plan: Plan
  level?: UsageLevel
  /** In GB. */
  used?: number
  /** Percent of the plan limit; null for a plan without a limit. */
  percent?: number | null
  /** Milliseconds since 1970; missing until the usage is read. */
  readAt?: number
  /** The start of the last read, if it failed. */
  failedAt?: number
  /** The users whom the upstream refused it, and when: they do not see what others read of it. */
  refusedTo?: Map<string, number>
}

/** What lists of all customers show of a customer. The same object for as long as the data is the same. */
export interface ReadRows<Item> extends Read {
  items: readonly Item[]
  /** Number of rows, also of those that `items` leaves out. */
  total: number
}

export interface PlanRow {
  device: DueDevice
  planLimit: number
  used: number
  percent: number
  level: PlanLevel
}

export interface BackupRow {
  device: DueDevice
  /** When the last complete backup was made; null if none was found. */
  lastBackup: string | null
  /** Since when there is no complete backup, if `lastBackup` is null; null if there is none at all. */
  noneSince: string | null
}

export interface PlanRows extends ReadRows<PlanRow> {
  exceeded: number
  warning: number
  unread: number
}

/** Totals of a customer's plans. Stored, because they are used far more often than they change. */
interface PlanTotals {
  exceeded: number
  warning: number
  unread: number
  /** When the oldest usage was read; undefined if none was read. */
  oldestReadAt: number | undefined
  /** When the plan was tried that was tried longest ago; 0 if one was never tried. */
  oldestTriedAt: number | undefined
  /** When the plan was tried that failed longest ago. */
  oldestFailedAt: number | undefined
}

/** The readings of one customer for callers of one visibility. Replaced by a new object when a count may have changed. */
export interface Readings {
  alarms?: Read & { reading: AlarmReading }
  services?: Read & {
    ended: number
    ending: number
    /** The devices with Recover. Missing, as the rows, if another replica has read them, which tells only counts. */
    recover?: readonly DueDevice[]
    rows?: ReadRows<DueService>
    /** Whether another replica has read newer ones, of which only the counts are known here. */
    isOutdated?: boolean
    /** Size in memory, roughly. */
    bytes?: number
  }
  backups?: Read & { missing: number; rows?: ReadRows<BackupRow>; isOutdated?: boolean }
  /** The plans by uuid of their device, as far as this replica has read them. */
  plans: Map<string, PlanRead>
  planTotals: PlanTotals
  /** Missing until this replica has read a plan. */
  planRows?: PlanRows | undefined
  /** The users whom the upstream refused some of the plans. */
  plansRefusedTo?: ReadonlySet<string>
  /** Number of plans above PLANS_MAX, which are not read. */
  plansBeyond: number
  /** When a part last failed with the token of the viewer for whom these are. */
  failedAt?: Partial<Record<Part, number>>
  /** When the API of a part last failed for everybody. */
  awayAt?: Partial<Record<Part, number>>
  /** When what a part shows was last changed through a gateway. */
  changedAt: Partial<Record<Part, number>>
  /** When another replica last told about this customer. */
  heardAt?: number
  /** The counts that this or another replica stored before this process had readings. */
  last?: CustomerAttention['counts']
}

export function noReadings(): Readings {
  return { plans: new Map(), planTotals: totalsOf([]), plansBeyond: 0, changedAt: {} }
}

/** Computes the totals and rows of the plans again. */
export function withTotals(readings: Readings): Readings {
  const planTotals = totalsOf(readings.plans.values())
  return { ...readings, planTotals, planRows: planRowsOf({ ...readings, planTotals }) }
}

/** The plans that need attention, the highest usage first. */
function planRowsOf(readings: Readings): PlanRows | undefined {
  const { services, plans, planTotals } = readings
  const { exceeded, warning, oldestReadAt } = planTotals
  const unread = plansUnread(readings)
  const readAt = oldestReadAt ?? (unread === 0 ? services?.rows?.readAt : undefined)
  if (readAt === undefined) return undefined
  const rows: PlanRow[] = []
  for (const { plan, level, percent, used = 0 } of plans.values()) {
    if (level !== 'exceeded' && level !== 'warning') continue
    const { device, subscription } = plan
    rows.push({ device, planLimit: subscription.planLimit ?? 0, used, percent: percent ?? 0, level })
  }
  rows.sort((a, b) => b.percent - a.percent)
  return { items: rows.slice(0, WORKLIST_ROWS_MAX), total: rows.length, readAt, exceeded, warning, unread }
}

function totalsOf(plans: Iterable<PlanRead>): PlanTotals {
  const totals: PlanTotals = {
    exceeded: 0,
    warning: 0,
    unread: 0,
    oldestReadAt: undefined,
    oldestTriedAt: undefined,
    oldestFailedAt: undefined
  }
  for (const plan of plans) {
    const { level, readAt, failedAt } = plan
    if (level === 'exceeded' || level === 'warning') totals[level] += 1
    if (readAt === undefined) totals.unread += 1
    totals.oldestReadAt = earlier(totals.oldestReadAt, readAt)
    totals.oldestTriedAt = earlier(totals.oldestTriedAt, triedAtOf(plan))
    totals.oldestFailedAt = earlier(totals.oldestFailedAt, failedAt)
  }
  return totals
}

const triedAtOf = ({ failedAt, readAt }: PlanRead) => failedAt ?? readAt ?? 0

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
}

/** When the oldest data of a part was read. */
export function readAtOf(part: Part, readings: Readings | undefined): number | undefined {
  if (part !== 'plans') return readings?.[part]?.readAt
  return readings?.planTotals.oldestReadAt
}

/** The plans whose usage to read next: those that are due, otherwise any, those first that were tried longest ago. */
export function nextPlans({ plans }: Readings, count: number, nowMs: number): PlanRead[] {
  const ordered = [...plans.values()].sort((a, b) => triedAtOf(a) - triedAtOf(b))
  const due = ordered.filter((plan) => isPlanDue(plan, nowMs))
  return (due.length > 0 ? due : ordered).slice(0, count)
}

export function isPlanDue(plan: PlanRead, nowMs: number): boolean {
  const { freshMs } = ATTENTION.plansExceeded
  const times = { nowMs, notBefore: Number.NEGATIVE_INFINITY, freshMs, retryMs: PLAN_RETRY_MS }
  return areDue(totalsOf([plan]), times)
}

/** Whether a plan was never tried, was tried too long ago, or failed a while ago. */
export function areDue(
  { oldestTriedAt, oldestFailedAt }: PlanTotals,
  {
    nowMs,
    notBefore,
    freshMs,
    retryMs
  }: { nowMs: number; notBefore: number; freshMs: number; retryMs: number }
): boolean {
  const hasFailed = oldestFailedAt !== undefined && isOld(oldestFailedAt, retryMs, nowMs)
  return hasFailed || isOld(oldestTriedAt, freshMs, nowMs, notBefore)
}

/** Treats a reading from the future as old, because the clock may have been set back. */
export function isOld(
  readAt: number | undefined,
  freshMs: number,
  nowMs: number,
  notBefore = Number.NEGATIVE_INFINITY
): boolean {
  if (readAt === undefined || readAt > nowMs) return true
  return readAt < notBefore || nowMs - readAt >= freshMs
}

/** Combines the current plans with the usage in the previous readings, as far as it was of the same plan. */
export function plansOf(previous: Readings, plans: readonly Plan[]): Pick<Readings, 'plans' | 'plansBeyond'> {
  const entries = plans.slice(0, PLANS_MAX).map((plan): [string, PlanRead] => {
    const { deviceUuid } = plan.device
    const known = previous.plans.get(deviceUuid)
    return [deviceUuid, known && isSamePlan(known.plan, plan) ? { ...known, plan } : { plan }]
  })
  return { plans: new Map(entries), plansBeyond: plans.length - entries.length }
}

/** Whether the usage of one is that of the other, at the same level. */
const isSamePlan = (a: Plan, b: Plan) =>
  a.deviceId === b.deviceId &&
  a.subscription.startDate === b.subscription.startDate &&
  a.subscription.planLimit === b.subscription.planLimit

/** Removes the data of a part that the upstream refused. */
export function withoutPart(readings: Readings, part: Part): Readings {
  if (part === 'plans') return withoutUsage(readings, () => true)
  const { [part]: _removed, ...remaining } = readings
  return remaining
}

/** Removes the usage of some plans. */
export function withoutUsage(readings: Readings, isRemoved: (read: PlanRead) => boolean): Readings {
  const plans = new Map(
    [...readings.plans].map(([uuid, read]) => [uuid, isRemoved(read) ? unread(read) : read])
  )
  return withTotals({ ...readings, plans })
}

export function unread({ plan, refusedTo }: PlanRead): PlanRead {
  return refusedTo === undefined ? { plan } : { plan, refusedTo }
}

/**
 * The readings without what only another replica knows, and with the times of this one, so that it reads them too. Counts are
 * complete without, lists are not.
 */
export function ownReadings(readings: Readings | undefined): Readings | undefined {
  if (readings === undefined) return undefined
  const planTotals = totalsOf(readings.plans.values())
  return { ...ownPart(ownPart(readings, 'services'), 'backups'), planTotals }
}

function ownPart(readings: Readings, part: 'services' | 'backups'): Readings {
  const known = readings[part]
  if (known === undefined) return readings
  if (known.rows === undefined || known.isOutdated) return withoutPart(readings, part)
  return { ...readings, [part]: { ...known, readAt: known.rows.readAt } }
}

/** Percent of the plan limit by device uuid, for devices at this usage level. */
export function usageAt(readings: Readings | undefined, level: PlanLevel): Map<string, number> {
  const plans = [...(readings?.plans ?? [])].filter(([, read]) => read.level === level)
  return new Map(plans.map(([uuid, { percent }]) => [uuid, percent ?? 0]))
}

/** Whether the usage of all plans is known, so that `usageAt` is complete. */
export function plansAreKnown(readings: Readings | undefined): boolean {
  const own = ownReadings(readings)
  return own?.services !== undefined && plansUnread(own) === 0
}

export const plansUnread = ({ planTotals, plansBeyond }: Readings) => planTotals.unread + plansBeyond

const ENTRY_BYTES = 1_000
const PLAN_BYTES = 400
const ROW_BYTES = 150

/** Size in memory, roughly. */
export function bytesOf({ alarms, plans, services, backups, planRows }: Readings): number {
  const rows = (backups?.rows?.items.length ?? 0) + (planRows?.items.length ?? 0)
  const alarmBytes = alarms?.reading.bytes ?? 0
  return ENTRY_BYTES + alarmBytes + (services?.bytes ?? 0) + plans.size * PLAN_BYTES + rows * ROW_BYTES
}
