// Registers the aggregated endpoints, for the client and for internal services.
import type { Config } from '../config/settings.ts'
import type { Limits } from '../http/limits.ts'
import type { Snapshots } from '../inventory/cache.ts'
import type { InventoryWorker } from '../inventory/worker-client.ts'
import type { Recorder } from '../observability/recorder.ts'
import type { Clock } from '../types.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { alarmRoutes } from './alarms/customer-alarms.ts'
import type { LiveLists } from './alarms/live-lists.ts'
import { organizationAlarmRoutes } from './alarms/organization-alarms.ts'
import { attentionRoutes } from './attention/routes.ts'
import { bootstrapRoutes } from './bootstrap.ts'
import type { CustomerLists } from './customer-lists.ts'
import { customerRoutes } from './customers.ts'
import { deviceRoutes } from './devices.ts'
import type { Changes } from './events/changes.ts'
import { eventRoutes } from './events/events.ts'
import type { Streams } from './events/streams.ts'
import { pointValueRoutes } from './points/routes.ts'
import type { SitePointsReader } from './points/site-points.ts'
import { projectRoutes } from './projects.ts'
import type { Reader } from './readings/reader.ts'
import { reportDataRoutes } from './report-data/routes.ts'
import type { PortalRoutes } from './request.ts'
import type { CustomerReads } from './search/customer-reads.ts'
import { deviceSearchRoutes } from './search/devices.ts'
import { organizationDeviceRoutes } from './search/organization-devices.ts'
import { pointSearchRoutes } from './search/points.ts'
import { treeRoutes } from './tree.ts'
import { usageRoutes } from './usage.ts'
import { worklistRoutes } from './worklists/routes.ts'

/** The services of all endpoints. Each endpoint declares those that it uses. */
export interface PortalServices {
  config: Config
  client: UpstreamClient
  snapshots: Snapshots
  customerLists: CustomerLists
  customerReads: CustomerReads
  reader: Reader
  sitePoints: SitePointsReader
  worker: InventoryWorker
  liveLists: LiveLists
  recorder: Recorder
  streams: Streams
  inventoryChanges: Changes
  countChanges: Changes
  limits: Limits
  clock: Clock
}

const GROUPS: readonly PortalRoutes<PortalServices>[] = [
  bootstrapRoutes,
  customerRoutes,
  projectRoutes,
  deviceRoutes,
  usageRoutes,
  alarmRoutes,
  organizationAlarmRoutes,
  worklistRoutes,
  deviceSearchRoutes,
  organizationDeviceRoutes,
  pointSearchRoutes,
  pointValueRoutes,
  treeRoutes,
  reportDataRoutes,
  attentionRoutes,
  eventRoutes
]

export const portalRoutes: PortalRoutes<PortalServices> = async (app, services) => {
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
  for (const routes of GROUPS) await app.register(routes, { ...services, prefix: '' })
}
