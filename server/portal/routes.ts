// The aggregated endpoints (interfaces: HTTP surface), for the client and for internal services alike.
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Device, Me } from '#shared/entities.ts'
import type { Config } from '../config.ts'
import { problems } from '../errors.ts'
import type { Access, Clock } from '../types.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { goneSignal } from '../upstreams/gone.ts'
import { fetchCustomers } from '../upstreams/organizations.ts'
import { actionsOf, bootstrapFor } from './bootstrap.ts'
import { cardsOf, pageOfCards } from './customers.ts'
import { DOCS } from './descriptions.ts'
import { deviceLines, findDevice, queryDevices } from './devices.ts'
import { listProjects } from './projects.ts'
import { createCompressed, encodingFor, etagOf, isKnown } from './representations.ts'
import { signedIn } from './request.ts'
import { CustomerParams, CustomersQuery, DeviceParams, DevicesQuery, OrganizationParams } from './schemas.ts'
import type { Snapshot } from './snapshot.ts'
import type { Snapshots } from './snapshots.ts'
import { usageFor } from './usage.ts'

interface Options {
  config: Config
  client: UpstreamClient
  snapshots: Snapshots
  clock: Clock
}

const SEES_PROJECTS: Access = { action: 'projects:view', scope: 'customer' }
const SEES_DEVICES: Access = { action: 'devices:view', scope: 'customer' }
const SEES_USAGE: Access = { action: 'data:query', scope: 'customer-device' }
const SEES_CUSTOMERS: Access = { action: 'customers:view', scope: 'own-organization' }

/** Of bodies that are sent as they are. */
const JSON_TYPE = 'application/json; charset=utf-8'

export const portalRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { config, client, snapshots, clock } = options
  const compressed = createCompressed()

  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
  })

  app.get(
    '/me',
    { config: { id: 'portal.me', access: 'signed-in', docs: DOCS.me } },
    async (request): Promise<Me> => {
      const user = await signedIn(request.caller).rereadUser()
      return { user, actions: actionsOf(user) }
    }
  )

  app.get('/bootstrap', { config: { id: 'portal.bootstrap', access: 'signed-in' } }, async (request) => {
    const caller = signedIn(request.caller)
    const user = await caller.rereadUser()
    const seesSome =
      user.organizationId !== null && user.roleAssignments.length > 0 && user.userType !== 'INTERNAL'
    const customers = seesSome ? await fetchCustomers(client, user.organizationId as string, caller) : []
    return bootstrapFor(
      user,
      cardsOf(customers, user.organizationId ?? '', user.roleAssignments),
      config,
      clock()
    )
  })

  app.get(
    '/organizations/:organizationId/customers',
    {
      config: { id: 'portal.customers', access: SEES_CUSTOMERS, docs: DOCS.customers },
      schema: { params: OrganizationParams, querystring: CustomersQuery }
    },
    async (request) => {
      const caller = signedIn(request.caller)
      const { organizationId } = request.params
      const { keyword, page, size } = request.query
      const customers = await fetchCustomers(client, organizationId, caller)
      return pageOfCards(cardsOf(customers, organizationId, caller.user.roleAssignments), keyword, page, size)
    }
  )

  app.get(
    '/customers/:customerId/projects',
    {
      config: { id: 'portal.projects', access: SEES_PROJECTS, docs: DOCS.projects },
      schema: { params: CustomerParams }
    },
    async (request, reply) => listProjects(await snapshotFor(request, reply))
  )

  app.get(
    '/customers/:customerId/devices',
    {
      config: { id: 'portal.devices', access: SEES_DEVICES, docs: DOCS.devices },
      schema: { params: CustomerParams, querystring: DevicesQuery }
    },
    async (request, reply) => {
      const snapshot = await snapshotFor(request, reply)
      return reply.type(JSON_TYPE).send(await queryDevices(snapshot, request.query, clock()))
    }
  )

  app.get(
    '/customers/:customerId/devices/:deviceUuid',
    {
      config: { id: 'portal.device', access: SEES_DEVICES, docs: DOCS.device },
      schema: { params: DeviceParams }
    },
    async (request, reply) => {
      const snapshot = await snapshotFor(request, reply)
      return reply.type(JSON_TYPE).send(deviceIn(snapshot, request.params.deviceUuid))
    }
  )

  app.get(
    '/customers/:customerId/devices/:deviceUuid/usage',
    {
      config: { id: 'portal.usage', access: SEES_USAGE, docs: DOCS.usage },
      schema: { params: DeviceParams }
    },
    async (request, reply) => {
      const snapshot = await snapshotFor(request, reply)
      const { deviceUuid } = request.params
      const device: Device = JSON.parse(deviceIn(snapshot, deviceUuid).toString())
      return usageFor(device, snapshot.tree.partial, {
        client,
        bearer: signedIn(request.caller),
        signal: goneSignal(reply),
        nowMs: clock()
      })
    }
  )

  app.get(
    '/customers/:customerId/tree',
    {
      config: { id: 'portal.tree', access: SEES_DEVICES, docs: DOCS.tree },
      schema: { params: CustomerParams }
    },
    async (request, reply) => {
      const snapshot = await snapshotFor(request, reply)
      const { accept, 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = request.headers
      reply.header('vary', 'accept, accept-encoding')
      if (accept?.includes('application/x-ndjson'))
        return reply.type('application/x-ndjson').send(Readable.from(deviceLines(snapshot.tree)))

      const { tree } = snapshot
      const encoding = encodingFor(String(acceptEncoding ?? ''))
      const etag = etagOf(tree, encoding)
      reply.header('etag', etag)
      if (isKnown(ifNoneMatch, etag)) return reply.code(304).send()
      reply.type(JSON_TYPE)
      if (encoding !== null)
        return reply.header('content-encoding', encoding).send(await compressed(tree, encoding))
      return reply.header('content-length', tree.bytes.length).send(Readable.from(tree.bytes.chunks))
    }
  )

  function snapshotFor(request: FastifyRequest, reply: FastifyReply): Promise<Snapshot> {
    const { customerId = '' } = request.params as { customerId?: string }
    return snapshots.of(customerId, signedIn(request.caller), goneSignal(reply))
  }
}

/** The device as JSON. */
function deviceIn(snapshot: Snapshot, deviceUuid: string): Buffer {
  const device = findDevice(snapshot, deviceUuid)
  if (!device) throw problems.notFound('This customer has no such device.')
  return device
}
