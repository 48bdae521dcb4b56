// Caches customer snapshots by visibility, up to a size limit. A snapshot is fresh for 30 s, then served for up to
// 15 minutes while a new one is fetched. An outage keeps the previous snapshot; a refusal drops it.
import { LRUCache } from 'lru-cache'
import type { CustomerName } from '#shared/answers/customers.ts'
import type { OrganizationDevices } from '#shared/answers/worklists.ts'
import { Problem, problems } from '../errors.ts'
import type { SnapshotStats } from '../observability/recorder.ts'
import type { Topic } from '../replica-messages.ts'
import type { RowFormat } from '../row-text.ts'
import { createSingleFlight } from '../upstreams/single-flight.ts'
import { isRefusal } from '../upstreams/transport/failures.ts'
import { type Viewer, visibilityOf } from '../upstreams/visibility.ts'
import type { DeviceListQuery } from './device-query.ts'
import { type Snapshot, type Sources, takeSnapshot } from './fetch.ts'
import type { SearchResult } from './worker/calls.ts'
import type { InventoryWorker } from './worker-client.ts'
import type { ListPage } from './worker-messages.ts'

const FRESH_MS = 30_000
const STALE_MAX_MS = 15 * 60_000
/** How long an incomplete snapshot is fresh. */
const PARTIAL_MS = 2_000
/** How long a customer is not fetched again if it is too large or has stopped the worker. */
const BACK_OFF_MS = 30_000
const BACK_OFF_CUSTOMERS_MAX = 10_000
/** Minimum size of a cache entry. */
const BYTES_AT_LEAST = 4_096

/**
 * `members`: projects or devices come or go, which ends what their snapshots prove. `fields`: only fields change, such as the
 * name or the project of a device, so that snapshots still prove whose it is. Thousands of such changes may follow each other.
 */
export type InventoryChange = 'members' | 'fields'

export interface Snapshots {
  /**
   * Throws the upstream's problem when the fetch fails and no previous snapshot exists. `signal` ends this caller's
   * wait; the fetch is cancelled when no caller waits any more.
   */
  of(customerId: string, viewer: Viewer, signal?: AbortSignal): Promise<Snapshot>
  /** Returns cached snapshots of these customers, up to 15 minutes old, by customer id. Fetches nothing. */
  cached(customerIds: readonly string[], viewer: Viewer): Map<string, Snapshot>
  /** Searches the devices of several customers. Throws a 503 problem when the worker dies. */
  search(customers: readonly SearchedCustomer[], q: string, size: number): Promise<SearchResult>
  /** Lists the devices of several customers: a page as JSON (`OrganizationDevices`). Throws a 503 problem when the worker dies. */
  list(
    customers: readonly SearchedCustomer[],
    query: DeviceListQuery & { page: number; size: number },
    nowMs: number,
    summary: Omit<OrganizationDevices, 'items' | 'page'>
  ): Promise<ListPage>
  /** Lists all of them as text, while the snapshots are in use. */
  listTexts(
    customers: readonly SearchedCustomer[],
    query: DeviceListQuery,
    nowMs: number,
    format: RowFormat
  ): AsyncGenerator<string, void, void>
  /**
   * Returns a snapshot whose fetch began at most `maxAgeMs` ago, for proofs of ownership: it may lack changes of fields. Throws
   * the upstream's problem.
   */
  within(maxAgeMs: number, customerId: string, viewer: Viewer): Promise<Snapshot>
  /**
   * Keeps a snapshot usable until the returned function is called, also after a newer one has replaced it. Call it in the turn
   * in which the snapshot was received. Without it, a snapshot can be used in that turn only.
   */
  use(snapshot: Snapshot): () => void
  /** Says on every replica that a customer has changed: the next caller who reads it gets the change. */
  changed(customerId: string, change: InventoryChange): void
  stats(): SnapshotStats
}

export interface SearchedCustomer {
  customer: CustomerName
  snapshot: Snapshot
}

interface Services extends Sources {
  /** Tells other replicas of changed customers, by id. */
  invalidations: Topic
  /** Maximum size of all cached snapshots in the worker's heap. */
  maxBytes: number
}

/** Snapshots by customer and visibility (`keyOf`). */
type SnapshotCache = LRUCache<string, Snapshot>

export function createSnapshots(services: Services): Snapshots {
  const { invalidations, worker, clock, maxBytes } = services
  const users = createUsers(worker)
  const cache: SnapshotCache = new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: ({ customer }) => Math.min(BYTES_AT_LEAST + customer.heapBytes, maxBytes),
    dispose: (snapshot) => users.release(snapshot)
  })
  const fetchSnapshot = createFetch(services, cache, users)
  const fetches = createSingleFlight<Snapshot>(clock)
  /** Snapshots whose fetch began before a change of fields. They prove ownership, but nobody reads them. */
  const outdated = new WeakSet<Snapshot>()
  const runningFetches = new Set<{ customerId: string; isOutdated: boolean }>()
  const counts = { hits: 0, misses: 0 }

  function join(
    customerId: string,
    viewer: Viewer,
    { notBefore, signal }: { notBefore?: number; signal?: AbortSignal | undefined } = {}
  ): Promise<Snapshot> {
    const key = keyOf(customerId, viewer)
    return fetches.share(key, {
      async fetch(gone) {
        const running = { customerId, isOutdated: false }
        runningFetches.add(running)
        try {
          const snapshot = await fetchSnapshot(key, customerId, viewer, gone)
          if (running.isOutdated) outdated.add(snapshot)
          return snapshot
        } finally {
          runningFetches.delete(running)
        }
      },
      keep: (snapshot) => {
        const { takenAt = 0 } = cache.peek(key) ?? {}
        if (snapshot.takenAt >= takenAt || takenAt > clock()) cache.set(key, snapshot)
      },
      ...(notBefore === undefined ? {} : { notBefore }),
      signal
    })
  }

  function applyChange(customerId: string, change: InventoryChange): void {
    const isOfCustomer = (key: string) => key.startsWith(`${customerId} `)
    const keys = [...cache.keys()].filter(isOfCustomer)
    if (change === 'members') {
      for (const key of keys) cache.delete(key)
      fetches.forget(isOfCustomer)
      return
    }
    for (const key of keys) {
      const snapshot = cache.peek(key)
      if (snapshot) outdated.add(snapshot)
    }
    for (const running of runningFetches) if (running.customerId === customerId) running.isOutdated = true
    fetches.stopJoining(isOfCustomer)
  }
  invalidations.onMessage((message) => {
    const { customerId, change } = readChange(message)
    applyChange(customerId, change)
  })

  /** The cached snapshot, unless it lacks a change. */
  function current(key: string): Snapshot | undefined {
    const snapshot = cache.get(key)
    return snapshot && !outdated.has(snapshot) ? snapshot : undefined
  }

  /** Infinite if there is none, or if its time is in the future: the clock was set back. */
  function ageOf(snapshot: Snapshot | undefined): number {
    const ageMs = clock() - (snapshot?.takenAt ?? Number.NEGATIVE_INFINITY)
    return ageMs >= 0 ? ageMs : Number.POSITIVE_INFINITY
  }

  return {
    cached(customerIds, viewer) {
      const visibility = visibilityOf(viewer)
      const snapshots = new Map<string, Snapshot>()
      for (const customerId of customerIds) {
        const snapshot = current(keyOf(customerId, viewer, visibility))
        if (snapshot && ageOf(snapshot) <= STALE_MAX_MS) snapshots.set(customerId, snapshot)
      }
      return snapshots
    },
    search: (customers, q, size) => worker.call('search', { customers: storedIds(customers), q, size }),
    async list(customers, { page, size, ...query }, nowMs, summary) {
      const call = { customers: storedIds(customers), query, nowMs, page, size, summary }
      return worker.call('list', call)
    },
    async *listTexts(customers, query, nowMs, format) {
      const call = { customers: storedIds(customers), query, nowMs, format }
      let positions: readonly number[] | null = null
      do {
        const part: { text: string; positions: number[] | null } = await worker.call('listText', {
          ...call,
          positions
        })
        positions = part.positions
        yield part.text
      } while (positions !== null)
    },
    async within(maxAgeMs, customerId, viewer) {
      const askedAt = clock()
      const earliest = () => Math.min(askedAt, clock() - maxAgeMs)
      let snapshot = cache.get(keyOf(customerId, viewer))
      // Fetch again if a shared fetch began too early, or if the clock was set back and takenAt is in the future.
      while (snapshot === undefined || snapshot.takenAt < earliest() || snapshot.takenAt > clock())
        snapshot = await join(customerId, viewer, { notBefore: earliest() })
      return snapshot
    },
    use: users.add,
    changed(customerId, change) {
      applyChange(customerId, change)
      invalidations.publish(change === 'members' ? customerId : `${customerId}${FIELDS_CHANGED}`)
    },
    async of(customerId, viewer, signal) {
      const key = keyOf(customerId, viewer)
      const previous = current(key)
      const ageMs = ageOf(previous)
      const missesSomething = (previous?.customer.partial.length ?? 0) > 0 && ageMs > PARTIAL_MS
      if (previous && !missesSomething && ageMs <= STALE_MAX_MS) {
        counts.hits += 1
        if (ageMs > FRESH_MS && !fetches.isJoinable(key)) join(customerId, viewer).catch(() => {})
        return previous
      }
      counts.misses += 1
      if (previous && ageMs > STALE_MAX_MS) cache.delete(key)
      return join(customerId, viewer, { signal }).catch((error) => {
        if (previous && ageMs <= STALE_MAX_MS && !isRefusal(error) && !signal?.aborted) return previous
        throw error
      })
    },
    stats() {
      const ages = [...cache.values()].map(({ takenAt }) => clock() - takenAt)
      return { ...counts, entries: cache.size, bytes: cache.calculatedSize, oldestMs: Math.max(0, ...ages) }
    }
  }
}

/** Follows the id in messages about changed fields. No id contains a slash. */
const FIELDS_CHANGED = '/fields'

/** Reads the message to other replicas about a change. */
export function readChange(message: string): { customerId: string; change: InventoryChange } {
  return message.endsWith(FIELDS_CHANGED)
    ? { customerId: message.slice(0, -FIELDS_CHANGED.length), change: 'fields' }
    : { customerId: message, change: 'members' }
}

const storedIds = (customers: readonly SearchedCustomer[]) =>
  customers.map(({ customer, snapshot }) => ({ id: snapshot.customer.id, customer }))

const keyOf = (customerId: string, viewer: Viewer, visibility = visibilityOf(viewer)) =>
  `${customerId} ${visibility}`

type Users = ReturnType<typeof createUsers>

/** Counts the users of each snapshot, which is freed in the worker when the cache has released it and nobody uses it. */
function createUsers(worker: InventoryWorker) {
  const counts = new Map<number, number>()
  /** Ids of snapshots that only their users keep. */
  const released = new Set<number>()

  return {
    add({ customer: { id } }: Snapshot): () => void {
      counts.set(id, (counts.get(id) ?? 0) + 1)
      let isUser = true
      return () => {
        if (!isUser) return
        isUser = false
        const count = (counts.get(id) ?? 1) - 1
        if (count > 0) {
          counts.set(id, count)
          return
        }
        counts.delete(id)
        if (released.delete(id)) worker.release(id)
      }
    },
    /** Runs in the next turn of the event loop, because callers who just received the snapshot become its users in this one. */
    release({ customer: { id } }: Snapshot, isUnused = () => true): void {
      setImmediate(() => {
        if (!isUnused()) return
        if (!counts.has(id)) {
          worker.release(id)
          return
        }
        released.add(id)
        // The worker may still free it if it needs the memory.
        worker.call('addReader', { id, readerId: id }).catch(() => {})
      })
    }
  }
}

/** Fetches snapshots. Refuses a customer for BACK_OFF_MS if it is too large or has stopped the worker. */
function createFetch(services: Services, cache: SnapshotCache, users: Users) {
  const { worker, clock } = services
  const refusals = new LRUCache<string, Problem>({
    max: BACK_OFF_CUSTOMERS_MAX,
    ttl: BACK_OFF_MS,
    perf: { now: clock },
    ttlResolution: 0
  })
  /** Cache keys of the snapshots being fetched, by snapshot id. */
  const fetchKeys = new Map<number, string>()

  function dropAll(culprit: number | undefined): void {
    const entry = [...cache.entries()].find(([, { customer }]) => customer.id === culprit)
    const key = (culprit === undefined ? undefined : fetchKeys.get(culprit)) ?? entry?.[0]
    if (key !== undefined) refusals.set(key, problems.inventoryUnavailable())
    cache.clear()
  }
  worker.onDeath(dropAll)

  return async (key: string, customerId: string, viewer: Viewer, gone: AbortSignal): Promise<Snapshot> => {
    const refusal = refusals.get(key)
    if (refusal) throw refusal
    const previous = cache.peek(key)
    const id = worker.nextId()
    fetchKeys.set(id, key)
    try {
      const snapshot = await takeSnapshot(services, {
        id,
        customerId,
        viewer,
        previous: previous?.customer,
        gone
      })
      users.release(snapshot, () => cache.peek(key) !== snapshot)
      return snapshot
    } catch (error) {
      // Do not serve the previous snapshot to callers who have lost access.
      if (isRefusal(error) && cache.peek(key) === previous) cache.delete(key)
      if (error instanceof Problem && error.id === 'upstream_too_large') refusals.set(key, error)
      throw error
    } finally {
      fetchKeys.delete(id)
    }
  }
}
