// Lists the points of all devices of a customer with their values, as JSON, as lines (NDJSON) or as CSV.
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import type { Static } from 'typebox'
import { oneOf } from '#shared/answers/parts.ts'
import { SitePoints, SitePointsLine } from '#shared/answers/site-points.ts'
import { Problem, problems } from '../../errors.ts'
import type { Snapshots } from '../../inventory/cache.ts'
import { POINT_SORTS, POINT_STATUSES } from '../../inventory/point-query.ts'
import type { InventoryWorker } from '../../inventory/worker-client.ts'
import { LINES_PER_CALL } from '../../inventory/worker-messages.ts'
import { closed, id, optional } from '../../schemas.ts'
import type { Clock } from '../../types.ts'
import { disconnectSignal } from '../../upstreams/disconnect-signal.ts'
import { sendJson } from '../encoding.ts'
import { ENDED_EARLY, sendLines } from '../lines.ts'
import { CustomerParams, optionalText, orderWithDefault, page, pageSize, withDefault } from '../parameters.ts'
import { CUSTOMERS_AREA, type PortalRoutes, signedIn, snapshotFor } from '../request.ts'
import type { SitePointsHandle, SitePointsReader } from './site-points.ts'

const POINT_LIST_SIZE = 15

const PointsQuery = closed({
  name: optionalText('The name of the points, or a part of it; case is ignored. Without it, all points.'),
  match: withDefault(oneOf(['equals', 'contains'], 'How `name` is compared.'), 'equals'),
  status: optional(
    oneOf(POINT_STATUSES, 'Only points with this status flag. `exception`: any status but `ok`.')
  ),
  projectId: optional(id('Only points of devices of this project.', 'p-3')),
  sort: withDefault(
    oneOf(
      POINT_SORTS,
      'The field to sort by. `fromMedian`: the size of the distance. `status`: the most severe first. Points without the value come last in both orders.'
    ),
    'device'
  ),
  order: orderWithDefault('asc'),
  page,
  size: pageSize(POINT_LIST_SIZE)
})

interface Services {
  snapshots: Snapshots
  sitePoints: SitePointsReader
  worker: InventoryWorker
  clock: Clock
}

const FORMATS = { 'application/json': 'json', 'application/x-ndjson': 'lines', 'text/csv': 'csv' } as const

export const pointValueRoutes: PortalRoutes<Services> = async (app, services) => {
  const { snapshots, sitePoints, worker, clock } = services
  app.get(
    '/customers/:customerId/points/values',
    {
      config: {
        id: 'portal.point-values',
        access: { action: 'data:query', scope: 'customer' },
        opensInBrowser: true,
        docs: {
          area: CUSTOMERS_AREA,
          summary: 'List the points of all devices of a customer with their values',
          description: `Points of the devices with active Data Services. JSON answers at once with what has been read: repeat the call while \`isReading\` is true. The gateway reads the points while callers ask at least every 30 seconds, and again after a minute, after a command through the gateway, and 10 seconds after a failure. Lines (\`Accept: application/x-ndjson\`) and CSV (\`text/csv\`) wait until all points have been read, have all points that match, and ignore \`page\` and \`size\`. The first line has everything but the points. A customer may have 200,000 points. ${ENDED_EARLY} CSV is then cut off.`,
          answers: {
            200: { schema: SitePoints, hasUpstreamRecords: true, lines: SitePointsLine, csv: true }
          },
          refusals: {
            406: { description: 'The caller accepts none of the formats.', problem: 'not_acceptable' }
          }
        }
      },
      schema: { params: CustomerParams, querystring: PointsQuery }
    },
    async (request, reply) => {
      const format = formatFor(request)
      const { customerId } = request.params
      const caller = signedIn(request.caller)
      const signal = disconnectSignal(reply)
      const { customer } = await snapshotFor(snapshots, request, reply)
      const handle = await sitePoints.of(customerId, caller, customer, signal, format !== 'json')
      await request.decideAgain()
      const subject = { ...handle, customer: customer.id, nowMs: clock(), query: request.query }
      reply.header('vary', 'accept')
      if (format === 'json') {
        const body = await forgetting(worker.call('points', subject))
        return sendJson(request, reply, Buffer.from(body))
      }
      const texts = textsOf(format, subject, () => request.decideAgain())
      if (format === 'lines') return sendLines(request, reply, texts)
      reply.header('content-disposition', 'attachment; filename="points.csv"')
      return reply.type('text/csv; charset=utf-8').send(Readable.from(withReason(texts, request)))

      /** The worker frees points if it needs the memory. They are then read again. */
      async function forgetting<T>(answer: Promise<T>): Promise<T> {
        return answer.catch((error) => {
          if (error instanceof Problem && error.id === 'inventory_unavailable')
            sitePoints.forget(customerId, caller)
          throw error
        })
      }
    }
  )

  async function* textsOf(
    format: 'csv' | 'lines',
    subject: SitePointsHandle & { customer: number; nowMs: number; query: PointsQuery },
    checkAccess: () => Promise<void>
  ): AsyncGenerator<string, void, void> {
    const readerId = worker.nextId()
    try {
      yield await worker.call('openPoints', { ...subject, readerId, format })
      for (let from = 0; ; from += LINES_PER_CALL) {
        await checkAccess()
        const text = await worker.call('pointTexts', { readerId, format, from })
        if (text === '') return
        yield text
      }
    } finally {
      worker.call('releasePoints', { readerId }).catch(() => {})
    }
  }
}

type PointsQuery = Static<typeof PointsQuery>

function formatFor({ headers }: FastifyRequest): 'json' | 'lines' | 'csv' {
  const types = Object.keys(FORMATS)
  const type = new Negotiator({ headers: headers as Record<string, string> }).mediaType(types)
  if (type === undefined) throw problems.notAcceptable(types)
  return FORMATS[type as keyof typeof FORMATS]
}

/** Notes the problem of an answer that is cut off, for the log and the metrics. */
async function* withReason(texts: AsyncIterable<string>, request: FastifyRequest) {
  try {
    yield* texts
  } catch (error) {
    if (error instanceof Problem) request.problemId = error.id
    throw error
  }
}
