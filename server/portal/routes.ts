// Registers the aggregated endpoints, for the client and for internal services.
import { alarmRoutes } from './alarms.ts'
import { attentionRoutes } from './attention/routes.ts'
import { bootstrapRoutes } from './bootstrap.ts'
import { customerRoutes } from './customers.ts'
import { deviceRoutes } from './devices.ts'
import { eventRoutes } from './events/events.ts'
import { projectRoutes } from './projects.ts'
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
  deviceSearchRoutes,
  pointSearchRoutes,
  treeRoutes,
  attentionRoutes,
  eventRoutes
]

export const portalRoutes: PortalRoutes = async (app, options) => {
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
  })
  for (const routes of GROUPS) await app.register(routes, { ...options, prefix: '' })
}
