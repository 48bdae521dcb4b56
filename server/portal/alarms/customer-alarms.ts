// Lists the alarms of a customer. The upstream's search has no "or", so alarms that need action are found by two searches, whose
// results are merged.
import { LRUCache } from 'lru-cache'
import { type AlarmOrder, comparing, type StateFilter } from '#shared/alarms.ts'
import type { Page } from '#shared/answers/parts.ts'
import { AlarmPage } from '#shared/answers/portal.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import type { Snapshots } from '../../inventory/cache.ts'
import type { Clock } from '../../types.ts'
import { type AlarmFilter, alarmParts, searchAlarms } from '../../upstreams/alarms.ts'
import type { CustomerSource, UpstreamClient } from '../../upstreams/client.ts'
import { disconnectSignal } from '../../upstreams/disconnect-signal.ts'
import { id, type Raw, raw } from '../../upstreams/fields.ts'
import { ENDED_EARLY, sendLines, wantsLines } from '../lines.ts'
import { CustomerParams } from '../parameters.ts'
import { CUSTOMERS_AREA, type PortalRoutes, signedIn, snapshotFor } from '../request.ts'
import { CustomerAlarmsQuery, searchesOf } from './alarms-query.ts'
import { systemsIn } from './project-systems.ts'

interface Services {
  client: UpstreamClient
  snapshots: Snapshots
  clock: Clock
}

export const alarmRoutes: PortalRoutes<Services> = async (app, { client, snapshots, clock }) => {
  app.get(
    '/customers/:customerId/alarms',
    {
      config: {
        id: 'portal.alarms',
        access: { action: 'alarms:query', scope: 'customer', check: 'query-system' },
        docs: {
          area: CUSTOMERS_AREA,
          summary: 'List the alarms of a customer',
          description: `By default, those that need action. An alarm must match every filter. Paging through alarms that need action reaches the first 1,000 only. With \`Accept: application/x-ndjson\` the answer has all alarms that match, one per line, and \`page\` and \`size\` are ignored. Alarms that arrive or change while it is sent may be missing. In another order than the newest first, so may others if some leave the list while as many arrive. ${ENDED_EARLY}`,
          answers: {
            200: { schema: AlarmPage, hasUpstreamRecords: true, lines: AlarmPage.properties.items.items }
          }
        }
      },
      schema: { params: CustomerParams, querystring: CustomerAlarmsQuery }
    },
    async (request, reply) => {
      const { systemGuid, projectId, show, sourceStates, sort, order, page, size, ...filter } = request.query
      const systems = await systemsIn(
        { systemGuid, projectId },
        () => snapshotFor(snapshots, request, reply),
        clock()
      )
      const search: Search = {
        source: {
          client,
          customerId: request.params.customerId,
          bearer: signedIn(request.caller),
          signal: disconnectSignal(reply)
        },
        filter: { ...filter, systemGuids: systems ?? [] },
        // An empty list of systems would match all of them.
        searches: systems?.length === 0 ? [] : searchesOf({ show, sourceStates }),
        order: { sort, order }
      }
      reply.header('vary', 'accept')
      if (wantsLines(request))
        return sendLines(
          request,
          reply,
          linesOf(search, () => request.decideAgain())
        )
      return pageOf(search, page, size)
    }
  )
}

interface Search {
  source: CustomerSource
  filter: AlarmFilter
  /** Their results never overlap. */
  searches: readonly StateFilter[]
  order: AlarmOrder
}

/**
 * Returns one page of the alarms, and their total number. Several searches are each fetched up to the end of the page; paging
 * reaches at most 1,000 of their alarms. Throws the upstream's problem.
 */
async function pageOf(search: Search, number: number, size: number): Promise<Page<unknown>> {
  const { source, filter, searches, order } = search
  const [onlySearch, ...others] = searches
  if (onlySearch !== undefined && others.length === 0) {
    const part = { from: number * size, count: size }
    const { items, totalElements } = await searchAlarms(source, { ...filter, ...onlySearch }, order, part)
    return { items, page: { number, size, totalPages: Math.ceil(totalElements / size), totalElements } }
  }
  const depth = Math.min((number + 1) * size, PAGE_SIZE_MAX)
  const { items, total } = merged(await runSearches(search, depth), order)
  const totalPages = Math.min(Math.ceil(total / size), Math.floor(PAGE_SIZE_MAX / size))
  return {
    items: items.slice(number * size, (number + 1) * size),
    page: { number, size, totalPages, totalElements: total }
  }
}

/**
 * Number of alarms that `linesOf` remembers, to send none of them again. Two searches find an alarm whose state changes between
 * them, at the same place unless they are sorted by its state.
 */
const SENT_MAX = 1_000

/** All alarms as lines, in their order. Checks access before each part. */
async function* linesOf(
  { source, filter, searches, order }: Search,
  checkAccess: () => Promise<void>
): AsyncGenerator<string, void, void> {
  const compare = comparing(order)
  const heads = searches.map((states) => ({
    parts: alarmParts(source, { ...filter, ...states }, order),
    items: [] as Raw[],
    isDone: false
  }))
  const sent = new LRUCache<string, true>({ max: SENT_MAX })
  for (;;) {
    for (const head of heads) {
      while (head.items.length === 0 && !head.isDone) {
        const { done, value } = await head.parts.next()
        head.isDone = done === true
        if (value) head.items = value
      }
    }
    await checkAccess()
    if (heads.every(({ items }) => items.length === 0)) return
    // As far as the first items of each search are known.
    const lines: string[] = []
    for (;;) {
      const [first, ...others] = heads.filter(({ items }) => items.length > 0)
      if (first === undefined) break
      const next = others.reduce(
        (best, head) => (compare(head.items[0] as Raw, best.items[0] as Raw) < 0 ? head : best),
        first
      )
      const alarm = next.items.shift() as Raw
      const uuid = id(alarm.uuid)
      if (uuid === null || !sent.has(uuid)) lines.push(`${JSON.stringify(alarm)}\n`)
      if (uuid !== null) sent.set(uuid, true)
      if (next.items.length === 0 && !next.isDone) break
    }
    if (lines.length > 0) yield lines.join('')
  }
}

/** The first alarms that a search has found, and the number of all of them. */
export interface Found {
  items: Raw[]
  total: number
}

/** Runs the searches, each for its first `depth` alarms. Throws the upstream's problem. */
async function runSearches({ source, filter, searches, order }: Search, depth: number): Promise<Found[]> {
  return Promise.all(
    searches.map(async (states) => {
      const part = { from: 0, count: depth }
      const { items, totalElements } = await searchAlarms(source, { ...filter, ...states }, order, part)
      return { items: items.map(raw), total: totalElements }
    })
  )
}

/** Finds the alarms that need action: the first `depth` of each search. Throws the upstream's problem. */
export function searchNeedsAction(
  source: CustomerSource,
  order: AlarmOrder,
  depth: number
): Promise<Found[]> {
  const searches = searchesOf({ show: 'action', sourceStates: [] })
  return runSearches({ source, filter: {}, searches, order }, depth)
}

/** The results of several searches as one, in their order. */
export function merged(parts: readonly Found[], order: AlarmOrder): Found {
  return {
    items: parts.flatMap(({ items }) => items).sort(comparing(order)),
    total: parts.reduce((sum, { total }) => sum + total, 0)
  }
}
