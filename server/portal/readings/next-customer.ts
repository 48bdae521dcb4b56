// Decides which customer is read next. Pure.
import type { AttentionKind } from '#shared/attention.ts'
import { areDue, isOld, PLAN_RETRY_MS, PLANS_MAX, type Readings, readAtOf } from './customer-readings.ts'
import { kindsOf, PART_NAMES, PARTS, type Part } from './parts.ts'

/** Time after which a part is read again whose API failed for everybody. */
const AWAY_RETRY_MS = 5_000
/** Readings of other replicas are read again later, so that the same replica goes on. */
const HEARD_FRESH_FACTOR = 1.1
/** Silence after which another replica no longer reads the parts that it began. */
const SILENT_MS = 60_000

/** A customer, and the counts that a caller requests. */
export interface CustomerKinds {
  customerId: string
  kinds: readonly AttentionKind[]
}

export interface Candidate extends CustomerKinds {
  readings: Readings | undefined
  /** When this replica last tried to read a live part, by the clock of `steadyMs`. */
  triedAt?: number
}

/** Times in milliseconds since 1970. Readings older than `notBefore` are read again. */
export interface Now {
  nowMs: number
  notBefore: number
  /** A steady clock. */
  steadyMs?: number
  /** A live part that was tried within this time is not read again. */
  liveFreshMs?: number
}

/** Finds the customer whose part to read next: one that has changed, then one of `first`, then any other. Null if none is due. */
export function nextCustomer(
  part: Part,
  customers: readonly Candidate[],
  now: Now,
  first: ReadonlySet<string>
): string | null {
  const changedCustomers = customers.filter(({ readings }) => hasChanged(part, readings))
  const firstCustomers = customers.filter(({ customerId }) => first.has(customerId))
  return (
    mostUrgent(part, changedCustomers, now) ??
    mostUrgent(part, firstCustomers, now) ??
    mostUrgent(part, customers, now)
  )
}

/** Whether a reading began before a change through a gateway. */
export function hasChanged(part: Part, readings: Readings | undefined): boolean {
  const changedAt = readings?.changedAt[part]
  return changedAt !== undefined && (readings?.[part as 'alarms']?.readAt ?? changedAt) < changedAt
}

/**
 * For plans, the customer with the fewest unread plans; otherwise the customer whose part was never read, or was tried longest
 * ago.
 */
function mostUrgent(part: Part, customers: readonly Candidate[], now: Now): string | null {
  let next: string | null = null
  let lowestOrder = Number.POSITIVE_INFINITY
  for (const candidate of customers) {
    const { customerId, kinds, readings } = candidate
    if (!isWanted(part, kinds) || isWaiting(part, readings, now.nowMs) || !isDue(part, candidate, now))
      continue
    const order = orderOf(part, candidate)
    if (order >= lowestOrder) continue
    next = customerId
    lowestOrder = order
  }
  return next
}

function orderOf(part: Part, { readings, triedAt = Number.NEGATIVE_INFINITY }: Candidate): number {
  if (PARTS[part].freshMs === 'live') return isUnread(part, readings, triedAt) ? -1 : Math.max(0, triedAt)
  const unread = part === 'plans' ? (readings?.planTotals.unread ?? 0) : 0
  if (unread > 0) return unread - PLANS_MAX
  return Math.max(readAtOf(part, readings) ?? 0, readings?.awayAt?.[part] ?? 0)
}

/** Whether a live part has neither been read nor tried. */
export function isUnread(part: Part, readings: Readings | undefined, triedAt: number): boolean {
  return triedAt < 0 && readAtOf(part, readings) === undefined
}

function isDue(part: Part, { readings, triedAt = Number.NEGATIVE_INFINITY }: Candidate, now: Now): boolean {
  const { freshMs } = PARTS[part]
  // A caller may have set it before the clock was set back.
  const calledFor = now.notBefore <= now.nowMs ? now.notBefore : 0
  const notBefore = Math.max(calledFor, readings?.changedAt[part] ?? 0)
  if (freshMs === 'live')
    return hasChanged(part, readings) || (now.steadyMs ?? 0) - triedAt >= (now.liveFreshMs ?? 0)
  if (part !== 'plans') {
    if (part === 'services' && isAbandoned(readings, now.nowMs)) return true
    return isOld(readings?.[part]?.readAt, freshOf(freshMs, readings), now.nowMs, notBefore)
  }
  if (readings === undefined || readings.plans.size === 0) return false
  return areDue(readings.planTotals, {
    nowMs: now.nowMs,
    notBefore,
    freshMs: freshOf(freshMs, readings),
    retryMs: freshOf(PLAN_RETRY_MS, readings)
  })
}

const freshOf = (freshMs: number, readings: Readings | undefined) =>
  readings?.heardAt === undefined ? freshMs : freshMs * HEARD_FRESH_FACTOR

/** Whether another replica has read the services, but not the parts that need them. */
function isAbandoned(readings: Readings | undefined, nowMs: number): boolean {
  if (readings?.services === undefined || readings.services.recover || readings.heardAt === undefined)
    return false
  const isComplete = readings.backups !== undefined && readings.planTotals.oldestTriedAt !== 0
  return !isComplete && nowMs - readings.heardAt >= SILENT_MS
}

/** Whether a part is read for these counts. A part is also read for those that need it. */
function isWanted(part: Part, kinds: readonly AttentionKind[]): boolean {
  const hasKind = (name: Part) => kindsOf(name).some((kind) => kinds.includes(kind))
  return hasKind(part) || PART_NAMES.some((name) => PARTS[name].needs === part && hasKind(name))
}

/** Whether the API of a part has just failed, or the data that it needs is missing. */
export function isWaiting(part: Part, readings: Readings | undefined, nowMs: number): boolean {
  const awayAt = readings?.awayAt?.[part]
  if (awayAt !== undefined && awayAt <= nowMs && nowMs - awayAt < AWAY_RETRY_MS) return true
  return PARTS[part].needs === 'services' && readings?.services?.recover === undefined
}
