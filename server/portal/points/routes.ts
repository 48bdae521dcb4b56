// Lists the points of all devices of a customer with their values, as JSON, as lines (NDJSON) or as CSV.
import { oneOf } from '#shared/answers/parts.ts'
import { SitePoints, SitePointsLine } from '#shared/answers/site-points.ts'
import { FLAG_ORDER } from '#shared/history/point-value.ts'
import type { Snapshots } from '../../inventory/cache.ts'
import { POINT_SORTS } from '../../inventory/point-query.ts'
import type { InventoryWorker } from '../../inventory/worker-client.ts'
import { FLAG_MAX_CHARACTERS, LINES_PER_CALL } from '../../inventory/worker-messages.ts'
import type { RowFormat } from '../../row-text.ts'
import { closed, id, optional, text } from '../../schemas.ts'
import type { Clock } from '../../types.ts'
import { disconnectSignal } from '../../upstreams/disconnect-signal.ts'
import { NAME_MAX_CHARACTERS } from '../../upstreams/fields.ts'
import { formatFor } from '../encoding.ts'
import {
  LIST_FORMATS,
  LIST_FORMATS_TEXT,
  LIST_REFUSALS,
  listAnswers,
  sendPage,
  sendWhole
} from '../list-formats.ts'
import { CustomerParams, orderWithDefault, page, pageSize, withDefault } from '../parameters.ts'
import { CUSTOMERS_AREA, type PortalRoutes, signedIn, snapshotFor, whenSent } from '../request.ts'
import type { SitePointsReader } from './site-points.ts'

const POINT_LIST_SIZE = 15

const PointsQuery = closed({
  name: withDefault(
    text(
      NAME_MAX_CHARACTERS,
      'The name of the points, or a part of it; case is ignored. Without it, all points.'
    ),
    ''
  ),
  match: withDefault(oneOf(['equals', 'contains'], 'How `name` is compared.'), 'equals'),
  status: optional(
    text(
      FLAG_MAX_CHARACTERS,
      `Only points with this status flag: ${FLAG_ORDER.map((flag) => `\`${flag}\``).join(', ')}, or another one that the answer lists. \`ok\`: no flag. \`exception\`: any.`
    )
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

export const pointValueRoutes: PortalRoutes<Services> = async (app, services) => {
  const { snapshots, sitePoints, worker, clock } = services
  app.get(
    '/customers/:customerId/points/values',
    {
      config: {
        id: 'portal.point-values',
        access: { action: 'data:query', scope: 'customer' },
        docs: {
          area: CUSTOMERS_AREA,
          summary: 'List the points of all devices of a customer with their values',
          description: `Points of the devices with active Data Services. JSON answers at once with what has been read: repeat the call while \`isReading\` is true. The gateway reads the points while callers ask at least every 30 seconds, and again after a minute, after a command through the gateway, and 10 seconds after a failure. ${LIST_FORMATS_TEXT} CSV and NDJSON wait until all points have been read. A customer may have 200,000 points.`,
          answers: listAnswers(SitePoints, SitePointsLine, { hasUpstreamRecords: true }),
          refusals: LIST_REFUSALS
        }
      },
      schema: { params: CustomerParams, querystring: PointsQuery }
    },
    async (request, reply) => {
      const format = formatFor(request, LIST_FORMATS)
      const { customerId } = request.params
      const caller = signedIn(request.caller)
      const signal = disconnectSignal(reply)
      const { customer } = await snapshotFor(snapshots, request, reply, signal)
      const handle = await sitePoints.of(customerId, caller, customer, signal, {
        first: { name: request.query.name.trim(), match: request.query.match },
        isComplete: format !== 'application/json'
      })
      await request.decideAgain()
      const nowMs = clock()
      const subject = { ...handle, customer: customer.id, nowMs, query: request.query }
      if (format === 'application/json') {
        const { body, partialCount } = await sitePoints.forgetting(handle.id, worker.call('points', subject))
        return sendPage(request, reply, partialCount, Buffer.from(body))
      }
      const readerId = worker.nextId()
      const opened = worker.call('openPoints', { ...subject, readerId })
      const summary = await sitePoints.forgetting(handle.id, opened)
      whenSent(reply, () => worker.release(readerId))
      const texts = textsOf(readerId, format)
      return sendWhole(request, reply, { name: 'points', format, caller, nowMs, summary, texts })
    }
  )

  async function* textsOf(readerId: number, format: RowFormat): AsyncGenerator<string, void, void> {
    for (let from = 0; ; from += LINES_PER_CALL) {
      const text = await worker.call('pointTexts', { readerId, format, from })
      if (text === '') return
      yield text
    }
  }
}
