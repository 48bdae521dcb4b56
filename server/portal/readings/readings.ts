// What has been read, by customer and visibility, within a limit of bytes. Reads a part once for all present viewers of equal
// visibility, with the token of one of them, and decides what a viewer may see of it.
import { LRUCache } from 'lru-cache'
import { Problem, problems } from '../../errors.ts'
import { isOutage, isRefusal } from '../../upstreams/transport/failures.ts'
import { type Viewer, visibilityOf } from '../../upstreams/visibility.ts'
import type { Outcome } from './back-off.ts'
import {
  bytesOf,
  noReadings,
  type PlanRead,
  type Readings,
  withoutPart,
  withoutUsage,
  withTotals
} from './customer-readings.ts'
import { createFailures, type Failure, type PresentViewer, REMEMBERED_MS, type Tokens } from './failures.ts'
import { isOlder, kindsOf, PART_NAMES, PARTS, type Part, type PartServices } from './parts.ts'
import { keyOf, type Presence, presencesOf, type WatchedCustomer } from './presence.ts'
import { type Heard, withHeard } from './share.ts'
import { backgroundShare, createThrottles, type Throttle } from './throttle.ts'

/** Maximum size of all readings. Those of a customer with 100 alarms have about 50 KB. */
const READINGS_MAX_BYTES = 128 * 2 ** 20

export type CustomerReadings = ReturnType<typeof createReadings>

interface Options extends PartServices {
  /** Ends all reads. */
  closing: AbortSignal
  /** Maximum number of connections to each API. */
  connections: number
}

export function createReadings({ closing, connections, ...services }: Options) {
  const { clock } = services
  /** The keys of each customer, one for each visibility. */
  const keysByCustomer = new Map<string, Set<string>>()
  const cache = new LRUCache<string, Readings>({
    maxSize: READINGS_MAX_BYTES,
    sizeCalculation: bytesOf,
    dispose: (_readings, key, reason) => {
      if (reason !== 'set') forgetKey(key)
    }
  })
  const failures = createFailures(clock)
  const failureKey = (key: string, part: Part) => `${part} ${key}`
  const throttles = Object.fromEntries(
    PART_NAMES.map((part) => {
      const atOnce = Math.ceil(backgroundShare(connections) / PARTS[part].callsAtOnce)
      return [part, createThrottles({ closing, atOnce })]
    })
  ) as Record<Part, ReturnType<typeof createThrottles>>

  function candidatesOf(customer: WatchedCustomer, part: Part, tokens: Tokens): PresentViewer[] {
    return failures.candidates(failureKey(customer.key, part), presentViewers(customer, part), tokens)
  }

  /** Reads with the token of one viewer, or of the next one if it is refused. */
  async function tryViewers(
    customer: WatchedCustomer,
    part: Part,
    tokens: Tokens,
    onSlow: () => void
  ): Promise<Outcome> {
    const { key } = customer
    const candidates = candidatesOf(customer, part, tokens)
    let refusals = 0
    for (const viewer of candidates) {
      try {
        await readAs(viewer, customer, part, onSlow)
        failures.forget(failureKey(key, part), viewer)
        return 'good'
      } catch (error) {
        if (closing.aborted) return 'failed'
        if (part === 'plans') update(key, withTotals)
        if (isOutage(error)) {
          if (PARTS[part].freshMs !== 'live')
            update(key, (known) => ({ ...known, awayAt: { ...known.awayAt, [part]: clock() } }))
          return 'away'
        }
        if (hasLostRights(error)) {
          for (const presence of presencesOf(customer, part))
            if (presence.viewer === viewer) presence.hasEnded = true
          continue
        }
        if (error instanceof Problem && error.options.upstreamStatus === 429) return 'limited'
        failures.add(failureKey(key, part), viewer, isRefusal(error))
        if (isRefusal(error)) refusals += 1
      }
    }
    const isRefused = tokens === 'working' && candidates.length > 0 && refusals === candidates.length
    if (isRefused && cache.has(key)) update(key, (known) => withoutPart(known, part))
    return 'failed'
  }

  async function readAs(
    viewer: Presence['viewer'],
    { key, customerId, visibility }: WatchedCustomer,
    part: Part,
    onSlow: () => void
  ): Promise<void> {
    // Confirms the rights when the call starts, because it may have waited for its turn.
    const throttle: Throttle = (work) =>
      throttles[part](visibility)(async (signal) => {
        await assertSameRights(viewer, visibility)
        return work(signal)
      }, onSlow)
    const previous = cache.get(key) ?? noReadings()
    const change = await PARTS[part].read({ ...services, bearer: viewer, customerId, throttle }, previous)
    update(key, (known) => withRead(known, part, change, clock()))
  }

  function update(key: string, change: (known: Readings) => Readings): void {
    const keys = keysByCustomer.get(customerOf(key)) ?? new Set()
    keysByCustomer.set(customerOf(key), keys.add(key))
    const readings = change(cache.peek(key) ?? noReadings())
    // Some plans may stay unread: one that fails, or those above the maximum. The stored count would never be replaced.
    const hasTriedAll = (readings.planTotals.oldestTriedAt ?? 0) > 0
    cache.set(key, hasTriedAll ? withoutLast(readings, 'plans') : readings)
  }

  function forgetKey(key: string): void {
    const keys = keysByCustomer.get(customerOf(key))
    keys?.delete(key)
    if (keys?.size === 0) keysByCustomer.delete(customerOf(key))
  }

  /** The failures of the viewer's own token, by part. */
  function failuresOf(key: string, viewer: Pick<Viewer, 'user'>): [Part, Failure][] {
    return PART_NAMES.flatMap((part): [Part, Failure][] => {
      const failure = failures.of(failureKey(key, part), viewer)
      return failure ? [[part, failure]] : []
    })
  }

  /** The readings without the plans that the upstream refused the viewer, although others may have read them. */
  function withoutRefusedPlans(
    readings: Readings | undefined,
    { user }: Pick<Viewer, 'user'>
  ): Readings | undefined {
    if (!readings?.plansRefusedTo?.has(user.id)) return readings
    const isRefused = ({ refusedTo }: PlanRead) =>
      clock() - (refusedTo?.get(user.id) ?? Number.NEGATIVE_INFINITY) < REMEMBERED_MS
    return withoutLast(withoutUsage(readings, isRefused), 'plans')
  }

  return {
    /** Reads a part of a customer with the token of a present viewer. Never rejects. @param onSlow called when a call takes long */
    read: tryViewers,
    /** Whether a present viewer has such a token. */
    canRead(customer: WatchedCustomer, part: Part, tokens: Tokens): boolean {
      if (failures.count === 0) return tokens === 'working'
      return candidatesOf(customer, part, tokens).length > 0
    },
    /** What the viewers of one visibility share. */
    shared: (key: string): Readings | undefined => cache.peek(key),
    /**
     * The readings of a customer that the viewer may see: after a failure of the viewer's own token only what was read before,
     * and nothing after a refusal.
     */
    of(customerId: string, viewer: Pick<Viewer, 'user'>): Readings | undefined {
      const key = keyOf(customerId, visibilityOf(viewer))
      const known = withoutRefusedPlans(cache.get(key), viewer)
      const own = failures.count === 0 ? [] : failuresOf(key, viewer)
      if (own.length === 0) return known
      let readings = known ?? noReadings()
      for (const [part, { at, isRefusal }] of own) {
        const isLater = ({ readAt }: { readAt?: number }) => readAt !== undefined && readAt > at
        if (isRefusal || (part !== 'plans' && isLater(readings[part] ?? {})))
          readings = withoutPart(readings, part)
        else if (part === 'plans') readings = withoutUsage(readings, isLater)
        if (isRefusal) readings = withoutLast(readings, part)
        readings = { ...readings, failedAt: { ...readings.failedAt, [part]: at } }
      }
      return readings
    },
    /** The failure of the viewer's own token. */
    failureOf: (key: string, part: Part, viewer: Pick<Viewer, 'user'>): Failure | undefined =>
      failures.of(failureKey(key, part), viewer),
    /** Takes what another replica has read. */
    hear(heard: Heard): void {
      const key = keyOf(heard.customerId, heard.visibility)
      update(key, (known) => withHeard(known, heard, clock()))
    },
    /** Stores previous counts of a customer, unless it has readings. */
    setLast(key: string, last: Readings['last']): void {
      if (last && !cache.has(key)) update(key, (known) => ({ ...known, last }))
    },
    /** Marks parts of a customer for another read. */
    change(key: string, parts: readonly Part[]): void {
      if (!cache.has(key)) return
      const changedAt = Object.fromEntries(parts.map((part) => [part, clock()]))
      update(key, (known) => ({ ...known, changedAt: { ...known.changedAt, ...changedAt } }))
    },
    keysOf: (customerId: string): readonly string[] => [...(keysByCustomer.get(customerId) ?? [])]
  }
}

function* presentViewers(customer: WatchedCustomer, part: Part): Generator<PresentViewer> {
  for (const { viewer, hasEnded } of presencesOf(customer, part)) if (!hasEnded) yield viewer
}

/** The readings with what this replica has read of a part. A slow read that ends late does not replace newer alarms. */
export function withRead(known: Readings, part: Part, change: Partial<Readings>, nowMs: number): Readings {
  const { [part]: _away, ...awayAt } = known.awayAt ?? {}
  const { heardAt: _heard, ...unheard } = known
  const { alarms } = known
  // A time in the future is of a clock that has been set back.
  if (alarms && change.alarms && isOlder(change.alarms, alarms) && alarms.readAt <= nowMs)
    return { ...known, awayAt }
  const { [part]: changedMs = 0, ...otherChanges } = known.changedAt
  const changedAt = changedMs > nowMs ? otherChanges : known.changedAt
  return { ...(PARTS[part].freshMs === 'live' ? known : unheard), ...change, awayAt, changedAt }
}

const customerOf = (key: string) => key.slice(0, key.indexOf(' '))

function withoutLast(readings: Readings, part: Part): Readings {
  if (!kindsOf(part).some((kind) => readings.last?.[kind])) return readings
  const last = { ...readings.last }
  for (const kind of kindsOf(part)) delete last[kind]
  return { ...readings, last }
}

/** Throws if the viewer has signed out or has other roles. */
export async function assertSameRights(viewer: Presence['viewer'], visibility: string): Promise<void> {
  const user = await viewer.currentUser()
  if (visibilityOf({ user }) !== visibility) throw problems.rolesChanged()
}

/** Whether the viewer's own session or roles have ended: no upstream has answered. */
export function hasLostRights(error: unknown): boolean {
  return (
    error instanceof Problem &&
    error.options.upstreamStatus === undefined &&
    (error.status === 401 || error.status === 403)
  )
}
