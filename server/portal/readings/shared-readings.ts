// Reads the alarms of one customer for all present viewers of equal visibility, with the token of one of them, and keeps the
// latest reading.

import { LRUCache } from 'lru-cache'
import { Problem, problems } from '../../errors.ts'
import type { Clock } from '../../types.ts'
import type { UpstreamClient } from '../../upstreams/client.ts'
import { isOutage, isRefusal } from '../../upstreams/transport/failures.ts'
import { type Viewer, visibilityOf } from '../../upstreams/visibility.ts'
import type { Outcome } from './read-interval.ts'
import { type AlarmReading, readAlarms } from './reading.ts'
import { backgroundShare, createThrottles } from './throttle.ts'
import { type AlarmViewer, createFailures, type Failure } from './viewers.ts'
import { isWatched, presencesOf, type WatchedCustomer } from './watched-customers.ts'

/** An answer that takes longer is slow. */
const SLOW_MS = 2_000
/** A read makes this number of calls at the same time. */
const CALLS_PER_READ = 2
/** Maximum size of all readings. A reading of 100 alarms has about 50 KB. */
const READINGS_MAX_BYTES = 64 * 2 ** 20
const READING_LEAST_BYTES = 1_000

export type SharedReadings = ReturnType<typeof createSharedReadings>

interface Options {
  client: UpstreamClient
  clock: Clock
  /** Ends all reads. */
  closing: AbortSignal
  /** Maximum number of connections to the alarms' API. */
  connections: number
}

export function createSharedReadings({ client, clock, closing, connections }: Options) {
  const readings = new LRUCache<string, AlarmReading>({
    maxSize: READINGS_MAX_BYTES,
    sizeCalculation: ({ bytes }) => READING_LEAST_BYTES + bytes
  })
  const failures = createFailures(clock)
  const throttles = createThrottles({
    closing,
    atOnce: Math.ceil(backgroundShare(connections) / CALLS_PER_READ)
  })

  async function readOnce(customer: WatchedCustomer): Promise<Outcome> {
    const beganAt = clock()
    const tagBefore = readings.peek(customer.key)?.tag
    customer.triedAt = performance.now()
    let isSlow = false
    const outcome = await tryViewers(customer, () => {
      isSlow = true
      markDelayed(customer, beganAt)
    })
    if (closing.aborted) return 'failed'
    const wasDelayed = customer.delayedSince !== undefined
    const isPunctual = outcome === 'good' && !isSlow
    if (isPunctual) customer.delayedSince = undefined
    else if (isWatched(customer)) markDelayed(customer, beganAt)
    const hasChanged = readings.peek(customer.key)?.tag !== tagBefore
    if (hasChanged || (wasDelayed && isPunctual)) notify(customer)
    return outcome === 'good' && isSlow ? 'busy' : outcome
  }

  /** Reads with the token of one viewer, or of the next one if it is refused. */
  async function tryViewers(customer: WatchedCustomer, onSlow: () => void): Promise<Outcome> {
    const { key } = customer
    const candidates = failures.candidates(key, viewersOf(customer))
    let refusals = 0
    for (const viewer of candidates) {
      try {
        readings.set(key, await readAs(viewer, customer, onSlow))
        failures.forget(key, viewer)
        return 'good'
      } catch (error) {
        if (closing.aborted) return 'failed'
        if (isOutage(error)) return 'busy'
        // The viewer's own session or roles have ended.
        if (!(error instanceof Problem) || error.options.upstreamStatus === undefined) continue
        if (error.options.upstreamStatus === 429) return 'busy'
        failures.add(key, viewer, isRefusal(error))
        if (isRefusal(error)) refusals += 1
      }
    }
    if (candidates.length > 0 && refusals === candidates.length) readings.delete(key)
    return 'failed'
  }

  /** Waits for a slot of the visibility, then reads. */
  function readAs(
    viewer: AlarmViewer,
    { customerId, visibility }: WatchedCustomer,
    onSlow: () => void
  ): Promise<AlarmReading> {
    return throttles(visibility)(async (signal) => {
      // Only now, because the read may have waited for its slot.
      await assertSameRights(viewer, visibility)
      const slowTimer = setTimeout(onSlow, SLOW_MS).unref()
      const source = { client, customerId, bearer: viewer, signal }
      return readAlarms(source, clock).finally(() => clearTimeout(slowTimer))
    })
  }

  return {
    /** Reads a customer, once for all who ask at the same time. Never rejects. */
    read(customer: WatchedCustomer): Promise<Outcome> {
      customer.running ??= readOnce(customer).finally(() => {
        customer.running = undefined
      })
      return customer.running
    },
    has: (key: string): boolean => readings.has(key),
    /** The latest reading, if the viewer may see it, and the failure of the viewer's own token. */
    of(
      key: string,
      viewer: Pick<Viewer, 'user'>
    ): { reading: AlarmReading | undefined; failure: Failure | undefined } {
      const reading = readings.get(key)
      const failure = failures.of(key, viewer)
      // After a failure of the viewer's own token, only what was read before counts, and nothing after a refusal.
      const isHidden = failure && (failure.isRefusal || (reading && reading.readAt > failure.at))
      return { reading: isHidden ? undefined : reading, failure }
    }
  }
}

function* viewersOf(customer: WatchedCustomer): Generator<AlarmViewer> {
  for (const { viewer } of presencesOf(customer)) yield viewer
}

function notify(customer: WatchedCustomer): void {
  for (const { onChange } of presencesOf(customer)) onChange()
}

function markDelayed(customer: WatchedCustomer, since: number): void {
  if (customer.delayedSince !== undefined) return
  customer.delayedSince = since
  notify(customer)
}

/** Throws if the viewer has signed out or has other roles. */
async function assertSameRights(viewer: AlarmViewer, visibility: string): Promise<void> {
  const user = await viewer.currentUser()
  if (visibilityOf({ user }) !== visibility) throw problems.rolesChanged()
}
