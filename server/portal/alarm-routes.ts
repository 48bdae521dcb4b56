// The aggregated endpoint of alarms (interfaces: HTTP surface).
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Access } from '../types.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { goneSignal } from '../upstreams/gone.ts'
import { alarmsThatNeedAction } from './alarms.ts'
import { DOCS } from './descriptions.ts'
import { signedIn } from './request.ts'
import { CustomerParams, NeedsActionQuery } from './schemas.ts'

const SEES_ALARMS: Access = { action: 'alarms:query', scope: 'customer', check: 'query-system' }

export const alarmRoutes: FastifyPluginAsyncTypebox<{ client: UpstreamClient }> = async (app, { client }) => {
  app.get(
    '/customers/:customerId/alarms',
    {
      config: { id: 'portal.alarms', access: SEES_ALARMS, docs: DOCS.alarms },
      schema: { params: CustomerParams, querystring: NeedsActionQuery }
    },
    async (request, reply) => {
      const { systemGuid, sourceStates, sort, order, page, size } = request.query
      const { alarmClasses, priorityFrom, priorityTo, startTime, keyword } = request.query
      const systemGuids = systemGuid === undefined ? [] : [systemGuid]
      const filter = { systemGuids, alarmClasses, priorityFrom, priorityTo, startTime, keyword }
      reply.header('cache-control', 'private, no-cache')
      return alarmsThatNeedAction(
        {
          client,
          customerId: request.params.customerId,
          bearer: signedIn(request.caller),
          signal: goneSignal(reply)
        },
        { ...filter, sourceStates, sort, order, page, size }
      )
    }
  )
}
