// Registers the aggregated endpoints, for the client and for internal services.
import { alarmRoutes } from './alarms/customer-alarms.ts'
import { organizationAlarmRoutes } from './alarms/organization-alarms.ts'
import { attentionRoutes } from './attention/routes.ts'
import { bootstrapRoutes } from './bootstrap.ts'
import { customerRoutes } from './customers.ts'
import { deviceRoutes } from './devices.ts'
import { eventRoutes } from './events/events.ts'
import { projectRoutes } from './projects.ts'
import { reportDataRoutes } from './report-data/routes.ts'
import type { PortalRoutes } from './request.ts'
import { deviceSearchRoutes } from './search/devices.ts'
import { pointSearchRoutes } from './search/points.ts'
import { treeRoutes } from './tree.ts'
import { usageRoutes } from './usage.ts'

const GROUPS: readonly PortalRoutes[] = [
  bootstrapRoutes,
  customerRoutes,
  projectRoutes,
  deviceRoutes,
  usageRoutes,
  alarmRoutes,
  organizationAlarmRoutes,
  deviceSearchRoutes,
  pointSearchRoutes,
  treeRoutes,
  reportDataRoutes,
  attentionRoutes,
  eventRoutes
]

export const portalRoutes: PortalRoutes = async (app, options) => {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
    done()
  })
  // Serializes answers with the schema of the route, so that an undeclared field never leaves. Bytes and streams stay as they are.
  app.addHook('onRoute', (route) => {
    const answer = route.config?.docs?.answers[200]
    if (answer?.schema && !answer.hasUpstreamRecords)
      route.schema = { ...route.schema, response: { 200: answer.schema } }
  })
  for (const routes of GROUPS) await app.register(routes, { ...options, prefix: '' })
}
