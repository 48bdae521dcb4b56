// Lists the alarms of a customer that need action. The upstream's search has no "or", so two searches run in parallel and
// their results are merged.

import type { FastifyReply } from 'fastify'
import type { Static } from 'typebox'
import { ACTIVE, type AlarmOrder, comparing, NEEDS_ACTION, narrowed } from '#shared/alarms.ts'
import type { Device } from '#shared/answers/customers.ts'
import { oneOf, type Page } from '#shared/answers/parts.ts'
import { AlarmPage } from '#shared/answers/portal.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import type { Snapshots } from '../../inventory/cache.ts'
import { closed, id, listOf, optional, text, time, whole } from '../../schemas.ts'
import type { Clock } from '../../types.ts'
import { type AlarmFilter, searchAlarms } from '../../upstreams/alarms.ts'
import type { CustomerSource, UpstreamClient } from '../../upstreams/client.ts'
import { disconnectSignal } from '../../upstreams/disconnect-signal.ts'
import { type Raw, raw } from '../../upstreams/fields.ts'
import { CustomerParams, optionalText, orderWithDefault, page, pageSize, withDefault } from '../parameters.ts'
import { CUSTOMERS_AREA, type PortalRoutes, signedIn, snapshotFor } from '../request.ts'

export const ALARM_SORTS = [
  'timestamp',
  'sourceName',
  'sourceState',
  'ackState',
  'priority',
  'alarmClass',
  'normalTime',
  'user',
  'ackTime'
] as const
const ALARM_PAGE_SIZE = 25

const NeedsActionQuery = closed({
  systemGuid: optional(id('Only alarms of this system (device).')),
  projectId: optional(id('Only alarms of the first 1,000 devices of this project.', 'p-3')),
  sourceStates: withDefault(
    listOf(oneOf([...ACTIVE, 'normal']), 10, {
      description: 'Only alarms whose source is in this state. Repeat the parameter to allow several.'
    }),
    []
  ),
  alarmClasses: withDefault(
    listOf(text(200), 50, {
      description: 'Only alarms of this class. Repeat the parameter to allow several.'
    }),
    []
  ),
  priorityFrom: optional(
    whole(1, 255, 'Only alarms of this priority, or of less urgent ones. 1 is the most urgent.')
  ),
  priorityTo: optional(whole(1, 255, 'Only alarms of this priority, or of more urgent ones.')),
  startTime: optional(time('Only alarms raised since this time.')),
  keyword: optionalText('Part of the source or of the message.'),
  sort: withDefault(oneOf(ALARM_SORTS, 'The field to sort by.'), 'timestamp'),
  order: orderWithDefault('desc'),
  page,
  size: pageSize(ALARM_PAGE_SIZE)
})

interface Services {
  client: UpstreamClient
  snapshots: Snapshots
  clock: Clock
}

export const alarmRoutes: PortalRoutes<Services> = async (app, services) => {
  const { client } = services
  app.get(
    '/customers/:customerId/alarms',
    {
      config: {
        id: 'portal.alarms',
        access: { action: 'alarms:query', scope: 'customer', check: 'query-system' },
        docs: {
          area: CUSTOMERS_AREA,
          summary: 'List the alarms of a customer that need action',
          description:
            'Alarms that are not normal or not acknowledged. An alarm must match every filter. Paging reaches the first 1,000 alarms only: use filters to find more.',
          answers: { 200: { schema: AlarmPage, hasUpstreamRecords: true } }
        }
      },
      schema: { params: CustomerParams, querystring: NeedsActionQuery }
    },
    async (request, reply) => {
      const { systemGuid, projectId, ...query } = request.query
      const projectSystems =
        projectId === undefined ? null : await systemsOf(services, request, reply, projectId)
      const systemGuids =
        systemGuid === undefined
          ? (projectSystems ?? [])
          : (projectSystems ?? [systemGuid]).filter((guid) => guid === systemGuid)
      // A project without systems has no alarms; an empty filter would match all systems.
      if (projectSystems && systemGuids.length === 0)
        return { items: [], page: { number: 0, size: query.size, totalPages: 0, totalElements: 0 } }
      const bearer = signedIn(request.caller)
      const source = {
        client,
        customerId: request.params.customerId,
        bearer,
        signal: disconnectSignal(reply)
      }
      return alarmsThatNeedAction(source, { ...query, systemGuids })
    }
  )
}

/** The system guids of the devices of a project: of its first PAGE_SIZE_MAX devices. */
async function systemsOf(
  { snapshots, clock }: Pick<Services, 'snapshots' | 'clock'>,
  request: Parameters<typeof snapshotFor>[1],
  reply: FastifyReply,
  projectId: string
): Promise<string[]> {
  const { customer } = await snapshotFor(snapshots, request, reply)
  const query = { projectId, q: '', sort: 'deviceName', order: 'asc', page: 0, size: PAGE_SIZE_MAX } as const
  const page = await customer.devicePage(query, clock())
  const { items } = JSON.parse(page.toString()) as Page<Device>
  return items.map(({ systemGuid }) => systemGuid)
}

type NeedsActionFilter = AlarmFilter & AlarmOrder & Pick<Static<typeof NeedsActionQuery>, 'sourceStates'>
type AlarmPageQuery = NeedsActionFilter & Pick<Static<typeof NeedsActionQuery>, 'page' | 'size'>

/**
 * Returns one page of the alarms, and their total number. Fetches each search up to the end of the page; paging reaches at
 * most 1,000 alarms. Throws the upstream's problem.
 */
async function alarmsThatNeedAction(
  source: CustomerSource,
  { page: number, size, ...query }: AlarmPageQuery
): Promise<Page<unknown>> {
  const depth = Math.min((number + 1) * size, PAGE_SIZE_MAX)
  const { items, total } = merged(await searchNeedsAction(source, query, depth), query)
  const totalPages = Math.min(Math.ceil(total / size), Math.floor(PAGE_SIZE_MAX / size))
  return {
    items: items.slice(number * size, (number + 1) * size),
    page: { number, size, totalPages, totalElements: total }
  }
}

/** The first alarms that a search has found, and the number of all of them. */
export interface Found {
  items: Raw[]
  total: number
}

/** Runs the searches NEEDS_ACTION, each for its first `depth` alarms. Throws the upstream's problem. */
export async function searchNeedsAction(
  source: CustomerSource,
  { sourceStates, sort, order, ...filter }: NeedsActionFilter,
  depth: number
): Promise<Found[]> {
  return Promise.all(
    narrowed(NEEDS_ACTION, sourceStates).map(async (states) => {
      const found = await searchAlarms(source, { ...filter, ...states }, { sort, order }, depth)
      return { items: found.items.map(raw), total: found.totalElements }
    })
  )
}

/** The results of several searches as one, in their order. */
export function merged(parts: readonly Found[], order: AlarmOrder): Found {
  return {
    items: parts.flatMap(({ items }) => items).sort(comparing(order)),
    total: parts.reduce((sum, { total }) => sum + total, 0)
  }
}
