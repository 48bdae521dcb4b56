// Decides when which customers are read: an opened one every few seconds, those of a list in turns, and parts that are read once
// in a while when they are old. Changed ones come first.
import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../types.ts'
import { type BackOff, createBackOff, type Outcome, remainingMs } from './back-off.ts'
import { ownReadings, type Readings } from './customer-readings.ts'
import type { Tokens } from './failures.ts'
import { type Candidate, hasChanged, isUnread, isWaiting, nextCustomer } from './next-customer.ts'
import { COUNTED_PARTS, PARTS, type Part } from './parts.ts'
import {
  isPresent,
  lookedAt,
  type PartState,
  type Presences,
  type Watch,
  type WatchedCustomer
} from './presence.ts'
import type { CustomerReadings } from './readings.ts'
import type { Heard, Share } from './share.ts'

/** Maximum time until a watch is looked at again. */
const IDLE_MS = 1_000
const BACK_OFFS_MAX = 10_000
/** A lease lasts longer than an interval, so that the same replica goes on, and less than two, so that another takes over. */
const OPENED_LEASE_FACTOR = 1.4
const LIST_LEASE_FACTOR = 1.5
/** The part of a round after which a customer of a list is read again: several replicas could go round faster than one. */
const LIST_FRESH_FACTOR = 0.9
/** The part of an interval after which a replica without the lease tries again. */
const DENIED_FACTOR = 0.25
/** How much later than its holder a replica that has heard a reading tries to read. */
const HEARD_FACTOR = 0.15
/** A read of the services, backups or plans of a customer takes less. */
const COUNTED_LEASE_MS = 30_000
const COUNTED_DENIED_MS = 5_000
/** A read after a change takes less. */
const CHANGE_LEASE_MS = 10_000
/** Time until a customer is read that another replica reads, but tells nothing of: this replica may have started later. */
const UNHEARD_MS = 3_000
/** Maximum wait of a call for alarms of which another replica has told the counts. */
const OUTDATED_WAIT_MS = 1_000

export type Schedule = ReturnType<typeof createSchedule>

interface Options {
  readings: CustomerReadings
  presences: Presences
  share: Share
  clock: Clock
  /** Minimum age of a live part of a customer in a list before it is read again. */
  pollMs: number
  closing: AbortSignal
  /** Called after each read, also of another replica. `hasChanged`: what viewers see may differ. */
  onRead: (customer: WatchedCustomer, part: Part, hasChanged: boolean) => void
  /** Called when nothing of a watch is being read. */
  onIdle: (watch: Watch) => void
}

export function createSchedule(options: Options) {
  const { readings, presences, share, clock, pollMs, closing, onRead, onIdle } = options
  const backOffs = new LRUCache<string, BackOff>({ max: BACK_OFFS_MAX, memoMethod: createBackOff })
  const backOffOf = (part: Part, visibility: string) => backOffs.memo(`${part} ${visibility}`)

  /** Starts the reads of a watch that are due, and looks again when the next one may be. */
  function step(watch: Watch): void {
    clearTimeout(watch.timer)
    watch.timer = undefined
    if (closing.aborted || !isPresent(watch)) return
    const waits = watch.parts.map((part) => startReads(watch, part))
    watch.timer = setTimeout(() => step(watch), Math.min(IDLE_MS, ...waits)).unref()
    if (isIdle(watch)) onIdle(watch)
  }

  /** Returns the time until the next read may start. */
  function startReads(watch: Watch, part: Part): number {
    const progress = progressOf(watch, part)
    const { interval } = progress
    const { customersAtOnce, freshMs } = PARTS[part]
    for (;;) {
      const nowMs = performance.now()
      const backOffMs = backOffOf(part, watch.visibility).waitMs(nowMs)
      if (backOffMs > 0) return backOffMs
      const refused = customerToRetry(watch, part)
      if (refused !== undefined) {
        void retry(watch, part, refused, nowMs)
        continue
      }
      const customer = nextOf(watch, part, nowMs)
      if (customer === undefined) return IDLE_MS
      const known = readings.shared(customer.key)
      const isUrgent = hasChanged(part, known)
      const isFirst =
        !watch.isOpened && !interval.isLong && isUnread(part, known, customer.parts[part].triedAt)
      const isInTurn = freshMs === 'live' && !isUrgent && !isFirst
      const mostAtOnce = isInTurn ? 1 : customersAtOnce
      if (!isUrgent && progress.runningCount >= mostAtOnce) return IDLE_MS
      const restMs = isInTurn ? remainingMs(progress.startedAt, interval.ms, nowMs) : 0
      if (restMs > 0) return restMs
      void start(watch, part, customer, nowMs)
    }
  }

  function nextOf(watch: Watch, part: Part, nowMs: number): WatchedCustomer | undefined {
    const byId = new Map<string, WatchedCustomer>()
    const candidates = watch.shown.flatMap(({ customerId, kinds }, index): Candidate[] => {
      const customer = watch.customers[index]
      if (customer === undefined || isBusy(watch, customer, part, nowMs)) return []
      if (!readings.canRead(customer, part, 'working')) return []
      byId.set(customerId, customer)
      const known = readings.shared(customer.key)
      const { triedAt } = customer.parts[part]
      return [{ customerId, kinds, readings: watch.needsOwn ? ownReadings(known) : known, triedAt }]
    })
    const { notBefore, first } = watch
    const liveFreshMs = watch.isOpened ? 0 : Math.max(pollMs, LIST_FRESH_FACTOR * roundMs(watch, part))
    const now = { nowMs: clock(), notBefore, steadyMs: nowMs, liveFreshMs }
    return byId.get(nextCustomer(part, candidates, now, first) ?? '')
  }

  async function start(watch: Watch, part: Part, customer: WatchedCustomer, nowMs: number): Promise<void> {
    const progress = progressOf(watch, part)
    const state = customer.parts[part]
    backOffOf(part, watch.visibility).started(nowMs)
    progress.startedAt = nowMs
    progress.runningCount += 1
    let isCounted = true
    const free = () => {
      if (isCounted) progress.runningCount -= 1
      isCounted = false
    }
    const work = readShared(watch, part, customer, () => {
      free()
      step(watch)
    })
    const outcome = await untilDone(state, work)
    progress.interval.adapt(outcome)
    free()
    step(watch)
  }

  /** A customer with a token that failed a while ago. */
  function customerToRetry(watch: Watch, part: Part): WatchedCustomer | undefined {
    if (progressOf(watch, part).isRetrying) return undefined
    return watch.customers.find(
      (customer) =>
        readings.canRead(customer, part, 'failed') &&
        !isRunning(customer, part) &&
        !isWaiting(part, readings.shared(customer.key), clock())
    )
  }

  /** Tries the tokens again that failed a while ago. Needs no lease, because other replicas do not have these viewers. */
  async function retry(watch: Watch, part: Part, customer: WatchedCustomer, nowMs: number): Promise<void> {
    const progress = progressOf(watch, part)
    backOffOf(part, watch.visibility).started(nowMs)
    progress.isRetrying = true
    await untilDone(
      customer.parts[part],
      read(part, customer, 'failed', () => {})
    )
    progress.isRetrying = false
    step(watch)
  }

  async function untilDone(state: PartState, work: Promise<Outcome>): Promise<Outcome> {
    state.running = work
    state.isSlow = false
    const outcome = await work
    if (state.running === work) Object.assign(state, { running: undefined, isSlow: false })
    return outcome
  }

  /** Reads a part of a customer if no other replica does. Never rejects. */
  async function readShared(
    watch: Watch,
    part: Part,
    customer: WatchedCustomer,
    onSlow: () => void
  ): Promise<Outcome> {
    const state = customer.parts[part]
    state.triedAt = performance.now()
    const lease = leaseOf(watch, part, customer)
    if (!watch.needsOwn && !(await share.take(lease.name, lease.ms))) {
      if (!isUnheard(part, customer)) return deny(watch, part, customer, lease.retryMs)
    }
    const outcome = await read(part, customer, 'working', onSlow)
    // What a replica reads for itself may know fewer plans than the others have been told.
    if (!watch.needsOwn && (outcome === 'good' || outcome === 'slow')) tell(part, customer)
    if (outcome === 'failed') share.release(lease.name)
    return outcome
  }

  function leaseOf(watch: Watch, part: Part, { key, parts }: WatchedCustomer) {
    const { changeId } = parts[part]
    if (changeId !== undefined) {
      const name = `${part} ${key} after ${changeId}`
      return { name, ms: CHANGE_LEASE_MS, retryMs: UNHEARD_MS }
    }
    if (PARTS[part].freshMs !== 'live')
      return { name: `${part} ${key}`, ms: COUNTED_LEASE_MS, retryMs: COUNTED_DENIED_MS }
    const { ms } = progressOf(watch, part).interval
    const intervalMs = watch.isOpened ? ms : Math.max(pollMs, roundMs(watch, part))
    const factor = watch.isOpened ? OPENED_LEASE_FACTOR : LIST_LEASE_FACTOR
    const name = `${part} ${key} ${lookedAt(watch)}`
    return { name, ms: intervalMs * factor, retryMs: intervalMs * DENIED_FACTOR }
  }

  /** Whether another replica has been reading it for a while, of which this one has heard nothing. */
  function isUnheard(part: Part, customer: WatchedCustomer): boolean {
    const state = customer.parts[part]
    const known = readings.shared(customer.key)
    if (known !== undefined && known[part === 'plans' ? 'services' : part] !== undefined) return false
    state.deniedAt ??= performance.now()
    return performance.now() - state.deniedAt >= UNHEARD_MS
  }

  /** Leaves the read to another replica. */
  function deny(watch: Watch, part: Part, customer: WatchedCustomer, retryMs: number): Outcome {
    const state = customer.parts[part]
    const progress = progressOf(watch, part)
    const nowMs = performance.now()
    state.changeId = undefined
    const untilMs = nowMs + (state.deniedAt === undefined ? retryMs : Math.min(retryMs, UNHEARD_MS))
    state.leftUntil[lookedAt(watch)] = untilMs
    if (watch.isOpened) progress.startedAt = untilMs - progress.interval.ms
    return 'failed'
  }

  async function read(
    part: Part,
    customer: WatchedCustomer,
    tokens: Tokens,
    onSlow: () => void
  ): Promise<Outcome> {
    const state = customer.parts[part]
    const backOff = backOffOf(part, customer.visibility)
    const startedAt = performance.now()
    const wasFailing = state.isFailing
    const before = readings.shared(customer.key)
    const wasAway = backOff.isAway
    let isSlow = false
    const outcome = await readings.read(customer, part, tokens, () => {
      if (PARTS[part].freshMs !== 'live') return
      isSlow = true
      state.isSlow = true
      backOff.away(startedAt, performance.now())
      onSlow()
    })
    if (closing.aborted) return 'failed'
    const nowMs = performance.now()
    const isGood = outcome === 'good'
    state.isFailing = !isGood
    if (isGood) {
      state.deniedAt = undefined
      backOff.good(nowMs)
      if (!hasChanged(part, readings.shared(customer.key))) state.changeId = undefined
      if (wasAway) wake(part, customer.visibility)
    }
    if (outcome === 'away') backOff.away(startedAt, nowMs)
    if (outcome === 'limited') backOff.limited(nowMs)
    onRead(customer, part, wasFailing || !isGood || differ(part, before, readings.shared(customer.key)))
    return isGood && isSlow ? 'slow' : outcome
  }

  function tell(part: Part, { key, customerId, visibility }: WatchedCustomer): void {
    const known = readings.shared(key)
    if (known === undefined) return
    // The services name the plans.
    for (const told of part === 'services' ? (['services', 'plans'] as const) : [part]) {
      const value = PARTS[told].told(known)
      if (value !== undefined) share.publish({ customerId, visibility, part: told, value } as Heard)
    }
  }

  /** Lets the reads that waited for an API go on. */
  function wake(part: Part, visibility: string): void {
    for (const watch of presences.watches())
      if (watch.visibility === visibility && watch.parts.includes(part)) step(watch)
  }

  share.onReading((heard) => {
    const { part, customerId, visibility } = heard
    const key = `${customerId} ${visibility}`
    const before = readings.shared(key)
    readings.hear(heard)
    const backOff = backOffOf(part, visibility)
    const wasAway = backOff.isAway
    const nowMs = performance.now()
    backOff.good(nowMs)
    const customer = presences.customer(key)
    if (customer !== undefined) {
      const state = customer.parts[part]
      const wasFailing = state.isFailing
      Object.assign(state, { isFailing: false, deniedAt: undefined, triedAt: nowMs })
      for (const watch of customer.watches) {
        const progress = watch.isOpened ? watch.progress.get(part) : undefined
        if (progress) progress.startedAt = nowMs + HEARD_FACTOR * progress.interval.ms
      }
      onRead(customer, part, wasFailing || differ(part, before, readings.shared(key)))
    }
    if (wasAway) wake(part, visibility)
  })

  return {
    step,
    /** Gives up the leases of a watch that nobody looks at any more. */
    release(watch: Watch): void {
      for (const part of watch.parts)
        for (const customer of watch.customers) share.release(leaseOf(watch, part, customer).name)
    },
    /**
     * Reads the alarms of which another replica has told only the counts. Resolves when they are read, or after a second.
     */
    async readOutdated(watch: Watch): Promise<void> {
      const outdated = watch.customers.filter(({ key }) => readings.shared(key)?.alarms?.reading.isOutdated)
      if (outdated.length === 0 || backOffOf('alarms', watch.visibility).waitMs(performance.now()) > 0) return
      const reads = outdated.map((customer) => {
        const state = customer.parts.alarms
        state.running ??= read('alarms', customer, 'working', () => {}).finally(() => {
          state.running = undefined
        })
        return state.running
      })
      const timeIsUp = wait(OUTDATED_WAIT_MS, undefined, { ref: false })
      await Promise.race([Promise.all(reads), timeIsUp])
    }
  }
}

function progressOf(watch: Watch, part: Part) {
  const progress = watch.progress.get(part)
  if (progress === undefined) throw new Error(`the watch has no ${part}`)
  return progress
}

/** Time in which the customers of a list have had their turns. */
const roundMs = (watch: Watch, part: Part) => progressOf(watch, part).interval.ms * watch.customers.length

const isIdle = ({ customers, parts }: Watch) =>
  customers.every((customer) => parts.every((part) => customer.parts[part].running === undefined))

/** Whether it is being read, or is left to another replica. */
function isBusy(watch: Watch, customer: WatchedCustomer, part: Part, nowMs: number): boolean {
  const { leftUntil, changeId } = customer.parts[part]
  return (leftUntil[lookedAt(watch)] > nowMs && changeId === undefined) || isRunning(customer, part)
}

/** Parts that need each other are read one after the other. */
function isRunning({ parts }: WatchedCustomer, part: Part): boolean {
  const { running, isSlow } = parts[part]
  if (PARTS[part].freshMs === 'live') return running !== undefined && !isSlow
  return COUNTED_PARTS.some((name) => parts[name].running !== undefined)
}

function differ(part: Part, before: Readings | undefined, now: Readings | undefined): boolean {
  return part === 'alarms' ? before?.alarms?.reading.tag !== now?.alarms?.reading.tag : before !== now
}
