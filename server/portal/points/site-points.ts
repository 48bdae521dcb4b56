// Reads the points of all devices of a customer while somebody asks for them, once for all callers of equal visibility. The
// worker stores them. Unlike the parts of readings/, which are counts and short lists of many customers that replicas tell each
// other, these are up to 200,000 records of one customer that is open: they are fetched on demand, as snapshots are. The calls
// have the same priority, throttle and share of the connections as other reads in the background.
import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { Problem, problems } from '../../errors.ts'
import type { CustomerHandle } from '../../inventory/customer-handle.ts'
import type { PointProgress } from '../../inventory/point-query.ts'
import type { KeptMatches } from '../../inventory/worker/point-calls.ts'
import type { InventoryWorker } from '../../inventory/worker-client.ts'
import { POINT_PAGE_SIZE } from '../../inventory/worker-messages.ts'
import type { Clock } from '../../types.ts'
import type { UpstreamClient } from '../../upstreams/client.ts'
import { fetchPages } from '../../upstreams/hal.ts'
import { allPointsPath, fetchPointsBody, type PointName } from '../../upstreams/points.ts'
import { concernsCaller, isOutage, isRefusal } from '../../upstreams/transport/failures.ts'
import { visibilityOf } from '../../upstreams/visibility.ts'
import { createFailures, type PresentViewer } from '../readings/failures.ts'
import { assertSameRights, hasLostRights } from '../readings/readings.ts'
import { backgroundShare, createThrottles } from '../readings/throttle.ts'

/** Points that are asked for are read again after this time. */
const FRESH_MS = 60_000
/** Time after which a failed read is tried again. */
const RETRY_MS = 10_000
/** A device may take this long to do what a command says. */
const COMMAND_MS = 5_000
/** How long the first answer waits for points. */
const FIRST_WAIT_MS = 500
const STILL_ASKING_MS = 5_000
/** Maximum number of customers whose points are read. */
const SITES_MAX = 50
/** Maximum number of pages of all points of a customer, and of one device. An API may have smaller pages than it is asked for. */
const PAGES_MAX = 1_000
const DEVICE_PAGES_MAX = 100

interface Site {
  /** Identifies the points at the worker. */
  id: number
  customerId: string
  visibility: string
  aborter: AbortController
  /** The read that is running. It never rejects. */
  running: Promise<void> | null
  /** When the latest read began. */
  startedAt: number
  /** Whether the API refuses searches of all devices. */
  needsSystem: boolean
  /** Systems that have never been read; null if that is all of them. */
  waiting: Set<string> | null
  /** Number of systems when the first read began. */
  systems: number
  failed: Set<string>
  total: number | null
  /** When the last complete read began, and when the last one ended. */
  readAt: number | null
  endedAt: number
  changedAt: number
  failure: Failure | null
}

/** By default all points. */
interface SearchPart {
  systemGuid?: string
  first?: PointName
}

interface Failure {
  problem: unknown
  /** With whose token the read failed; null if the points have stopped the worker. */
  viewer: PresentViewer | null
}

interface Options {
  client: UpstreamClient
  worker: InventoryWorker
  clock: Clock
  /** Maximum number of connections to the API. */
  connections: number
  /** Points that nobody has asked for during this time are freed, and no longer read. */
  unusedMs: number
}

/** The points of a customer, as far as they have been read. */
export interface SitePointsHandle {
  id: number
  progress: PointProgress
}

export type SitePointsReader = ReturnType<typeof createSitePoints>

export function createSitePoints({ client, worker, clock, connections, unusedMs }: Options) {
  const closing = new AbortController()
  const atOnce = backgroundShare(connections)
  const throttles = createThrottles({ closing: closing.signal, atOnce })
  const failures = createFailures(clock)
  const sites = new LRUCache<string, Site>({
    max: SITES_MAX,
    ttl: unusedMs,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose(site) {
      site.aborter.abort()
      worker.release(site.id)
    }
  })
  /** A new worker has no points. Those that have stopped it are not read again at once. */
  worker.onDeath((culprit) => {
    const [key, culpable] = [...sites].find(([, { id }]) => id === culprit) ?? []
    sites.clear()
    if (key === undefined || culpable === undefined) return
    const failure = { problem: problems.inventoryUnavailable(), viewer: null }
    sites.set(key, { ...newSite(culpable), endedAt: clock(), failure })
  })

  /** A viewer whom the API has refused shares nothing. */
  function keyOf(customerId: string, viewer: PresentViewer): string {
    const sharedKey = `${customerId} ${visibilityOf(viewer)}`
    return failures.of(sharedKey, viewer) ? `${sharedKey} ${viewer.user.id}` : sharedKey
  }

  function siteOf(customerId: string, viewer: PresentViewer): Site {
    const key = keyOf(customerId, viewer)
    const known = sites.get(key)
    if (known !== undefined) return known
    const site = newSite({ customerId, visibility: visibilityOf(viewer) })
    sites.set(key, site)
    return site
  }

  const newSite = ({ customerId, visibility }: Pick<Site, 'customerId' | 'visibility'>): Site => ({
    id: worker.nextId(),
    customerId,
    visibility,
    aborter: new AbortController(),
    running: null,
    startedAt: 0,
    needsSystem: false,
    waiting: null,
    systems: 0,
    failed: new Set(),
    total: null,
    readAt: null,
    endedAt: 0,
    changedAt: Number.NEGATIVE_INFINITY,
    failure: null
  })

  /** Whether the points are old, or were read before a command had its effect. */
  function isStale({ readAt, changedAt }: Site): boolean {
    const nowMs = clock()
    if (readAt === null || readAt > nowMs || nowMs - readAt >= FRESH_MS) return true
    // The clock may have been set back since a command.
    if (changedAt > nowMs) return false
    return readAt < changedAt || (readAt < changedAt + COMMAND_MS && nowMs >= changedAt + COMMAND_MS)
  }

  function isDue(site: Site, viewer: PresentViewer): boolean {
    const { failure, failed, endedAt } = site
    const restMs = failure !== null && isTooLarge(failure.problem) ? FRESH_MS : RETRY_MS
    const isRested = Math.abs(clock() - endedAt) >= restMs
    if (failure !== null) return isOfAnother(failure, viewer) || isRested
    return isStale(site) || (failed.size > 0 && isRested)
  }

  /** Reads the points. Never rejects. */
  async function read(
    site: Site,
    viewer: PresentViewer,
    systems: readonly string[],
    first: PointName
  ): Promise<void> {
    site.startedAt = clock()
    const isRetry = site.failure === null && site.failed.size > 0 && !isStale(site)
    try {
      if (!site.needsSystem) {
        site.needsSystem = !(await readAll(site, viewer, first))
      }
      if (site.needsSystem) {
        if (site.waiting !== null) dropUnknown(site, systems)
        else Object.assign(site, { waiting: new Set(systems), systems: systems.length })
        await readEach(site, viewer, isRetry ? [...site.failed] : systems, isRetry)
      }
      if (!isRetry) site.readAt = site.startedAt
      site.failure = null
      failures.forget(`${site.customerId} ${site.visibility}`, viewer)
    } catch (problem) {
      if (site.aborter.signal.aborted) return
      site.failure = { problem, viewer }
      if (isRefusal(problem) && !hasLostRights(problem))
        failures.add(`${site.customerId} ${site.visibility}`, viewer, true)
    } finally {
      site.endedAt = clock()
      site.running = null
    }
  }

  /** Systems come and go. */
  function dropUnknown({ waiting, failed }: Site, systems: readonly string[]): void {
    const known = new Set(systems)
    for (const guid of waiting ?? []) if (!known.has(guid)) waiting?.delete(guid)
    for (const guid of failed) if (!known.has(guid)) failed.delete(guid)
  }

  /** Reads all points with one search, at first some of this name. Returns false if the API searches single devices only. */
  async function readAll(site: Site, viewer: PresentViewer, first: PointName): Promise<boolean> {
    if (site.readAt === null && first.name !== '') await readFirst(site, viewer, first)
    try {
      await readPages(site, viewer, PAGES_MAX)
    } catch (error) {
      if (asksForSystem(error)) return false
      throw error
    }
    await worker.call('dropPoints', { id: site.id, readAt: site.startedAt })
    site.waiting = new Set()
    site.failed.clear()
    return true
  }

  /** Reads a page of the points of this name. Another search may succeed where this one fails. */
  async function readFirst(site: Site, viewer: PresentViewer, first: PointName): Promise<void> {
    const path = `${allPointsPath(site.customerId)}&page=0&size=${POINT_PAGE_SIZE}`
    await readPage(site, viewer, path, site.aborter.signal, { first }).catch((error) => {
      if (!isOfSearch(error)) throw error
    })
  }

  /**
   * Reads the points of these systems. A failure of one device does not end it.
   * @param hasAnswered whether the API has answered about other systems, so that a refusal is one of a device
   */
  async function readEach(
    site: Site,
    viewer: PresentViewer,
    systems: readonly string[],
    hasAnswered: boolean
  ): Promise<void> {
    const queue = systems.values()
    const refusals = new Map<string, unknown>()
    let hasEnded = false
    async function readNext(): Promise<void> {
      for (const systemGuid of queue) {
        if (hasEnded) return
        try {
          await readPages(site, viewer, DEVICE_PAGES_MAX, { systemGuid })
          await worker.call('dropPoints', { id: site.id, readAt: site.startedAt, systemGuid })
          site.failed.delete(systemGuid)
          hasAnswered = true
        } catch (error) {
          const isForbidden = upstreamStatusOf(error) === 403
          hasEnded ||= site.aborter.signal.aborted || !(isForbidden || isOfSearch(error))
          if (hasEnded) throw error
          if (isForbidden && !hasAnswered) {
            refusals.set(systemGuid, error)
            return
          }
          site.failed.add(systemGuid)
        }
        site.waiting?.delete(systemGuid)
      }
    }
    // A failure ends the read, but answers that are on their way are kept.
    const results = await Promise.allSettled(Array.from({ length: atOnce }, readNext))
    const failure = results.find((result) => result.status === 'rejected')
    if (failure) throw failure.reason
    for (const [systemGuid, refusal] of refusals) {
      if (!hasAnswered) throw refusal
      site.failed.add(systemGuid)
      site.waiting?.delete(systemGuid)
    }
  }

  async function readPages(
    site: Site,
    viewer: PresentViewer,
    maxPages: number,
    part: SearchPart = {}
  ): Promise<void> {
    await fetchPages(
      { path: allPointsPath(site.customerId), size: POINT_PAGE_SIZE, maxPages },
      (path, signal) => readPage(site, viewer, path, signal, part),
      site.aborter.signal
    )
  }

  async function readPage(
    site: Site,
    viewer: PresentViewer,
    path: string,
    signal: AbortSignal,
    { systemGuid, first }: SearchPart
  ) {
    const { id, customerId, visibility } = site
    const { body, readAt } = await throttles(visibility)(async (ending) => {
      await assertSameRights(viewer, visibility)
      // The clock may be set back, and older points are dropped.
      const readAt = Math.max(clock(), site.startedAt)
      const source = {
        client,
        customerId,
        bearer: viewer,
        ...(systemGuid === undefined ? {} : { systemGuid })
      }
      const body = await fetchPointsBody(
        source,
        path,
        AbortSignal.any([signal, ending]),
        worker.pageMaxBytes,
        first
      )
      return { body, readAt }
    })
    signal.throwIfAborted()
    const page = await worker.call('pointPage', { id, customerId, readAt, systemGuid, ...body }, body.pieces)
    if (systemGuid === undefined && first === undefined) site.total = page.totalElements
    return page
  }

  const handleOf = ({ id, waiting, failed, total, running, readAt }: Site): SitePointsHandle => ({
    id,
    progress: {
      waiting: waiting && [...waiting],
      failed: [...failed],
      total,
      isReading: running !== null,
      readAt
    }
  })

  /** The worker frees points if it needs the memory. They are then read again. A problem with a cause is not about them. */
  async function forgetting<T>(id: number, answer: Promise<T>): Promise<T> {
    return answer.catch((error) => {
      const isFreed = error instanceof Problem && error.id === 'inventory_unavailable' && !error.options.cause
      if (isFreed) {
        const [key] = [...sites].find(([, site]) => site.id === id) ?? []
        if (key !== undefined) sites.delete(key)
      }
      throw error
    })
  }

  /** Begins to read if the points are due. */
  async function begin(
    site: Site,
    viewer: PresentViewer,
    customer: CustomerHandle,
    first: PointName
  ): Promise<void> {
    if (site.running !== null || !isDue(site, viewer)) return
    if (site.aborter.signal.aborted) throw problems.inventoryUnavailable()
    const subject = { id: site.id, customer: customer.id, nowMs: clock() }
    const systems = await forgetting(site.id, worker.call('pointSystems', subject))
    site.running ??= read(site, viewer, systems, first)
  }

  return {
    /**
     * The points of a customer, which are read while callers ask again. Throws the problem because of which none could be read.
     * @param first the points of which a page is read before the others
     * @param isComplete waits until all have been read
     * @param signal ends the wait with a 499 problem
     */
    async of(
      customerId: string,
      viewer: PresentViewer,
      customer: CustomerHandle,
      signal: AbortSignal,
      { first, isComplete }: { first: PointName; isComplete: boolean }
    ): Promise<SitePointsHandle> {
      const site = siteOf(customerId, viewer)
      do {
        await begin(site, viewer, customer, first)
        if (isComplete)
          while (site.running !== null && !signal.aborted) {
            await Promise.race([site.running, pause(STILL_ASKING_MS)])
            siteOf(customerId, viewer)
          }
        else if (site.readAt === null && site.running)
          await Promise.race([site.running, pause(FIRST_WAIT_MS)])
        if (signal.aborted) throw problems.clientGone()
      } while (site.running === null && site.failure !== null && isOfAnother(site.failure, viewer))
      const isUnread = site.waiting === null || (site.readAt === null && site.waiting.size === site.systems)
      if (site.failure !== null && isUnread && site.running === null) throw site.failure.problem
      return handleOf(site)
    },
    /** Searches points that have all been read and are asked for. Null if there are none. */
    find(
      customerId: string,
      viewer: PresentViewer
    ): ((q: string, size: number, systemGuid?: string) => Promise<KeptMatches>) | null {
      const site = sites.peek(keyOf(customerId, viewer))
      if (!site || site.readAt === null || site.failure !== null || site.failed.size > 0) return null
      return (q, size, systemGuid) => worker.call('findPoints', { id: site.id, systemGuid, q, size })
    },
    /** Passes on the worker's answer about points, and drops those that the worker no longer has. */
    forgetting,
    /** Marks the points of a customer for another read, after a command to a device. */
    changed(customerId: string): void {
      for (const site of sites.values()) if (site.customerId === customerId) site.changedAt = clock()
    },
    close(): void {
      closing.abort()
      sites.clear()
    }
  }
}

const pause = (ms: number) => wait(ms, undefined, { ref: false })

const upstreamStatusOf = (error: unknown) =>
  error instanceof Problem ? error.options.upstreamStatus : undefined

/**
 * Whether only the caller failed whose token was used. A person may have signed out of one session only. After too many calls
 * nobody calls the API for a while.
 */
function isOfAnother({ problem, viewer }: Failure, caller: PresentViewer): boolean {
  if (viewer === null) return false
  if (hasLostRights(problem)) return viewer !== caller
  return viewer.user.id !== caller.user.id && concernsCaller(problem) && upstreamStatusOf(problem) !== 429
}

/** Whether another read would need as much again. */
const isTooLarge = (error: unknown) =>
  error instanceof Problem && ['upstream_too_large', 'inventory_unavailable'].includes(error.id)

/** Whether the API refuses a search without a system. */
const asksForSystem = (error: unknown) => [400, 422].includes(upstreamStatusOf(error) ?? 0)

/** Whether a failure may concern one search only: that of a device or of a name. */
function isOfSearch(error: unknown): boolean {
  if (!(error instanceof Problem) || isOutage(error)) return false
  return ![401, 403, 429].includes(error.options.upstreamStatus ?? error.status)
}
