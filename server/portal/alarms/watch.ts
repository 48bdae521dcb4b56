// Reads the alarms of watched customers again and again: once per customer for all present viewers of equal visibility, with
// the token of one of them. A customer that somebody has opened is read every few seconds. Customers of which somebody only
// sees a list take turns, so that a long list costs the upstream no more calls than a short one.
import { LRUCache } from 'lru-cache'
import { Problem, problems } from '../../errors.ts'
import type { Caller, Clock } from '../../types.ts'
import type { UpstreamClient } from '../../upstreams/client.ts'
import { isOutage, isRefusal } from '../../upstreams/transport/failures.ts'
import { type Viewer, visibilityOf } from '../../upstreams/visibility.ts'
import { createThrottles } from '../attention/throttle.ts'
import { rolesChanged } from '../request.ts'
import { createPace, type Outcome, type Pace } from './pace.ts'
import { type AlarmReading, readAlarms } from './reading.ts'
import { type AlarmViewer, createFailures } from './viewers.ts'

/** An answer that takes longer is slow. */
const SLOW_MS = 2_000
/** Number of customers of a list that are read in parallel while they have never been read. */
const FIRST_AT_ONCE = 4
/** How long a customer or list is remembered after its last viewer, who may only have gone to another page. */
const LINGER_MS = 10_000
/** How long a call without a stream counts as a present viewer: calls are repeated within this time. */
const CALLED_MS = 60_000
/** Maximum size of all readings. A reading of 100 alarms has about 50 KB. */
const READINGS_MAX_BYTES = 64 * 2 ** 20
const READING_LEAST_BYTES = 1_000

/** The latest reading of a customer's alarms, and its failures. */
export interface AlarmState {
  reading: AlarmReading | undefined
  /** Since when the alarms are not read as often as they should, in milliseconds since 1970. */
  delayedSince: number | undefined
  /** Whether the upstream refused the viewer. */
  isRefused: boolean
}

/** One viewer of a customer or of a list. */
interface Presence {
  viewer: AlarmViewer
  onChange: () => void
}

/** A customer, for viewers of equal visibility. */
interface Watched {
  key: string
  customerId: string
  visibility: string
  /** Viewers who have opened the customer. */
  openedBy: Set<Presence>
  /** Lists that contain the customer. */
  lists: Set<WatchedList>
  pace: Pace
  timer: NodeJS.Timeout | undefined
  running: Promise<Outcome> | undefined
  /** The start of the last read, by `performance.now`. */
  triedAt: number
  delayedSince: number | undefined
}

/** The customers of an organization, for viewers of equal visibility. */
interface WatchedList {
  visibility: string
  customerIds: readonly string[]
  openedBy: Set<Presence>
  pace: Pace
  timer: NodeJS.Timeout | undefined
  isRunning: boolean
  delayedSince: number | undefined
}

export interface ListWatching {
  /** Says which customers the list has now. */
  update(customerIds: readonly string[]): void
  stop(): void
}

interface Options {
  client: UpstreamClient
  clock: Clock
  /** Interval of the reads of an opened customer. */
  pollMs: number
  /** Interval of the reads of a list. A read takes two calls. */
  turnMs: number
}

export type AlarmWatch = ReturnType<typeof createAlarmWatch>

export function createAlarmWatch({ client, clock, pollMs, turnMs }: Options) {
  const readings = new LRUCache<string, AlarmReading>({
    maxSize: READINGS_MAX_BYTES,
    sizeCalculation: ({ bytes }) => READING_LEAST_BYTES + bytes
  })
  const failures = createFailures(clock)
  const customers = new Map<string, Watched>()
  const lists = new Map<string, WatchedList>()
  const calls = new Map<string, { watching: ListWatching; presence: Presence; timer: NodeJS.Timeout }>()
  const closing = new AbortController()
  const throttles = createThrottles(closing.signal)

  const keyOf = (customerId: string, visibility: string) => `${customerId} ${visibility}`

  function watchedOf(customerId: string, visibility: string): Watched {
    const key = keyOf(customerId, visibility)
    const known = customers.get(key)
    if (known) return known
    const watched: Watched = {
      key,
      customerId,
      visibility,
      openedBy: new Set(),
      lists: new Set(),
      pace: createPace(pollMs),
      timer: undefined,
      running: undefined,
      triedAt: Number.NEGATIVE_INFINITY,
      delayedSince: undefined
    }
    customers.set(key, watched)
    return watched
  }

  const isUnwatched = ({ openedBy, lists }: Watched) => openedBy.size === 0 && lists.size === 0

  function forgetLater(watched: Watched): void {
    if (isUnwatched(watched)) afterLinger(() => isUnwatched(watched) && customers.delete(watched.key))
  }

  function* viewersOf({ openedBy, lists }: Watched): Generator<AlarmViewer> {
    for (const { viewer } of openedBy) yield viewer
    for (const list of lists) for (const { viewer } of list.openedBy) yield viewer
  }

  function tellViewers({ openedBy, lists }: Watched): void {
    for (const { onChange } of openedBy) onChange()
    for (const list of lists) for (const { onChange } of list.openedBy) onChange()
  }

  /** Reads a customer, once for all who ask at the same time. Never rejects. */
  function read(watched: Watched): Promise<Outcome> {
    watched.running ??= readOnce(watched).finally(() => {
      watched.running = undefined
    })
    return watched.running
  }

  async function readOnce(watched: Watched): Promise<Outcome> {
    const beganAt = clock()
    const { tag: tagBefore } = readings.peek(watched.key) ?? {}
    watched.triedAt = performance.now()
    let isSlow = false
    const delay = () => {
      if (watched.delayedSince !== undefined) return
      watched.delayedSince = beganAt
      tellViewers(watched)
    }
    const outcome = await tryViewers(watched, () => {
      isSlow = true
      delay()
    })
    if (closing.signal.aborted) return 'failed'
    const wasDelayed = watched.delayedSince !== undefined
    if (outcome === 'good' && !isSlow) watched.delayedSince = undefined
    else if (!isUnwatched(watched)) delay()
    const isPunctualAgain = wasDelayed && watched.delayedSince === undefined
    if (isPunctualAgain || readings.peek(watched.key)?.tag !== tagBefore) tellViewers(watched)
    return outcome === 'good' && isSlow ? 'busy' : outcome
  }

  /** Reads with the token of one viewer, or of the next one if it is refused. */
  async function tryViewers(watched: Watched, onSlow: () => void): Promise<Outcome> {
    const { key, customerId, visibility } = watched
    const candidates = failures.candidates(key, viewersOf(watched))
    let refusals = 0
    for (const viewer of candidates) {
      try {
        const reading = await throttles(visibility)(async (signal) => {
          // Only now, because the read may have waited for its turn.
          await assertSameRights(viewer, visibility)
          const slowTimer = setTimeout(onSlow, SLOW_MS).unref()
          const source = { client, customerId, bearer: viewer, signal }
          return readAlarms(source, clock).finally(() => clearTimeout(slowTimer))
        })
        readings.set(key, reading)
        failures.forget(key, viewer)
        return 'good'
      } catch (error) {
        if (closing.signal.aborted) return 'failed'
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

  function schedule(watched: Watched): void {
    if (watched.timer !== undefined || watched.openedBy.size === 0 || closing.signal.aborted) return
    const waitMs = Math.max(0, watched.triedAt + watched.pace.intervalMs - performance.now())
    watched.timer = setTimeout(async () => {
      if (watched.openedBy.size > 0) watched.pace.adapt(await read(watched))
      watched.timer = undefined
      schedule(watched)
    }, waitMs).unref()
  }

  function scheduleTurn(list: WatchedList, waitMs: number): void {
    if (list.isRunning || list.timer !== undefined || list.openedBy.size === 0 || closing.signal.aborted)
      return
    list.timer = setTimeout(() => void takeTurn(list), waitMs).unref()
  }

  async function takeTurn(list: WatchedList): Promise<void> {
    const startedAt = performance.now()
    const next = nextOf(list)
    list.timer = undefined
    list.isRunning = true
    const outcomes = await Promise.all(next.map(read))
    list.isRunning = false
    const outcome = (['busy', 'good'] as const).find((value) => outcomes.includes(value))
    list.pace.adapt(outcome ?? 'failed')
    adaptDelay(list)
    const areFirst = next.length > 1 && !list.pace.isLate
    scheduleTurn(list, areFirst ? 0 : Math.max(0, startedAt + list.pace.intervalMs - performance.now()))
  }

  /** The customers to read next: several that were never read, or the one that was read longest ago. */
  function nextOf({ customerIds, visibility }: WatchedList): Watched[] {
    const all = customerIds.map((customerId) => watchedOf(customerId, visibility))
    const never = all.filter(({ key, triedAt }) => triedAt < 0 && !readings.has(key))
    if (never.length > 0) return never.slice(0, FIRST_AT_ONCE)
    const [first] = all
    if (first === undefined) return []
    const oldest = all.reduce(
      (earliest, watched) => (watched.triedAt < earliest.triedAt ? watched : earliest),
      first
    )
    return performance.now() - oldest.triedAt >= pollMs ? [oldest] : []
  }

  /** Customers that have to wait for their turn longer than they should are late too. */
  function adaptDelay(list: WatchedList): void {
    const wasLate = list.delayedSince !== undefined
    if (list.pace.isLate === wasLate) return
    list.delayedSince = list.pace.isLate ? clock() : undefined
    for (const { onChange } of list.openedBy) onChange()
  }

  function delayOf({ delayedSince, openedBy, lists }: Watched): number | undefined {
    if (delayedSince !== undefined || openedBy.size > 0) return delayedSince
    for (const list of lists) if (list.delayedSince !== undefined) return list.delayedSince
    return undefined
  }

  /** Watches the customers of an organization, which `update` names. */
  function watchList(organizationId: string, presence: Presence): ListWatching {
    const visibility = visibilityOf(presence.viewer)
    const name = keyOf(organizationId, visibility)
    const list = lists.get(name) ?? {
      visibility,
      customerIds: [],
      openedBy: new Set(),
      pace: createPace(turnMs),
      timer: undefined,
      isRunning: false,
      delayedSince: undefined
    }
    lists.set(name, list)
    list.openedBy.add(presence)
    /** Joins new customers and leaves the others. */
    const setCustomers = (customerIds: readonly string[]) => {
      const left = new Set(list.customerIds)
      for (const customerId of customerIds) {
        left.delete(customerId)
        watchedOf(customerId, visibility).lists.add(list)
      }
      list.customerIds = customerIds
      for (const customerId of left) {
        const watched = watchedOf(customerId, visibility)
        watched.lists.delete(list)
        forgetLater(watched)
      }
    }
    return {
      update(customerIds) {
        if (customerIds !== list.customerIds) setCustomers(customerIds)
        scheduleTurn(list, 0)
      },
      stop() {
        list.openedBy.delete(presence)
        if (list.openedBy.size > 0) return
        clearTimeout(list.timer)
        list.timer = undefined
        afterLinger(() => {
          if (list.openedBy.size > 0 || lists.get(name) !== list) return
          setCustomers([])
          lists.delete(name)
        })
      }
    }
  }

  return {
    /** Watches a customer. Returns the function that stops it. */
    watchCustomer(customerId: string, viewer: Caller, onChange: () => void): () => void {
      const presence = { viewer: withoutTrace(viewer), onChange }
      const watched = watchedOf(customerId, visibilityOf(viewer))
      watched.openedBy.add(presence)
      schedule(watched)
      return () => {
        watched.openedBy.delete(presence)
        forgetLater(watched)
      }
    },
    /** Watches the customers of an organization. */
    watchCustomers: (organizationId: string, viewer: Caller, onChange: () => void): ListWatching =>
      watchList(organizationId, { viewer: withoutTrace(viewer), onChange }),
    /** Watches the customers of an organization for a minute, for a caller without a stream. */
    keepWatching(organizationId: string, viewer: Caller, customerIds: readonly string[]): void {
      const name = `${keyOf(organizationId, visibilityOf(viewer))} ${viewer.user.id}`
      const known = calls.get(name)
      clearTimeout(known?.timer)
      const presence = known?.presence ?? { viewer: withoutTrace(viewer), onChange: () => {} }
      presence.viewer = withoutTrace(viewer)
      const watching = known?.watching ?? watchList(organizationId, presence)
      const timer = setTimeout(() => {
        calls.delete(name)
        watching.stop()
      }, CALLED_MS).unref()
      calls.set(name, { watching, presence, timer })
      watching.update(customerIds)
    },
    /** Returns the state of a customer's alarms, without what the viewer may not see. */
    stateOf(customerId: string, viewer: Pick<Viewer, 'user'>): AlarmState {
      const key = keyOf(customerId, visibilityOf(viewer))
      const watched = customers.get(key)
      const reading = readings.get(key)
      const failure = failures.of(key, viewer)
      // After a failure of the viewer's own token, only what was read before counts, and nothing after a refusal.
      const isHidden = failure && (failure.isRefusal || (reading && reading.readAt > failure.at))
      return {
        reading: isHidden ? undefined : reading,
        delayedSince: failure?.at ?? (watched && delayOf(watched)),
        isRefused: failure?.isRefusal === true
      }
    },
    /** Number of watched customers that are read less often than they should. */
    get lateCount(): number {
      return [...customers.values()].filter((watched) => delayOf(watched) !== undefined).length
    },
    close: () => closing.abort(problems.clientGone())
  }
}

/** Throws if the viewer has signed out or has other roles. */
async function assertSameRights(viewer: AlarmViewer, visibility: string): Promise<void> {
  const user = await viewer.currentUser()
  if (visibilityOf({ user }) !== visibility) throw rolesChanged()
}

/** Leaves out the trace: the viewer's request ends before the reads do. */
function withoutTrace({ trace: _, ...viewer }: Caller): AlarmViewer {
  return viewer
}

const afterLinger = (work: () => void) => void setTimeout(work, LINGER_MS).unref()
