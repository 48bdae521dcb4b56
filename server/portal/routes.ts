// The aggregated endpoints (interfaces: HTTP surface), for the client and for internal services alike.
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Config } from '../config.ts'
import { problems } from '../errors.ts'
import type { Access, Caller, Clock } from '../types.ts'
import type { UpstreamClient } from '../upstreams/client.ts'
import { fetchCustomers } from '../upstreams/organizations.ts'
import { bootstrapFor } from './bootstrap.ts'
import { cardsOf, pageOfCards } from './customers.ts'
import { DOCS } from './descriptions.ts'
import { deviceLines, findDevice, queryDevices } from './devices.ts'
import { listProjects } from './projects.ts'
import { createRepresentations, isKnown } from './representations.ts'
import { CustomerParams, CustomersQuery, DeviceParams, DevicesQuery, OrganizationParams } from './schemas.ts'
import type { Snapshots } from './snapshots.ts'

interface Options {
  config: Config
  client: UpstreamClient
  snapshots: Snapshots
  clock: Clock
}

const SEES_PROJECTS: Access = { action: 'projects:view', scope: 'customer' }
const SEES_DEVICES: Access = { action: 'devices:view', scope: 'customer' }
const SEES_CUSTOMERS: Access = { action: 'customers:view', scope: 'own-organization' }

export const portalRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { config, client, snapshots, clock } = options
  const represent = createRepresentations()

  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
  })

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
    async (request) => listProjects(await snapshots.of(request.params.customerId, signedIn(request.caller)))
  )

  app.get(
    '/customers/:customerId/devices',
    {
      config: { id: 'portal.devices', access: SEES_DEVICES, docs: DOCS.devices },
      schema: { params: CustomerParams, querystring: DevicesQuery }
    },
    async (request) =>
      queryDevices(await snapshots.of(request.params.customerId, signedIn(request.caller)), request.query)
  )

  app.get(
    '/customers/:customerId/devices/:deviceUuid',
    {
      config: { id: 'portal.device', access: SEES_DEVICES, docs: DOCS.device },
      schema: { params: DeviceParams }
    },
    async (request) => {
      const snapshot = await snapshots.of(request.params.customerId, signedIn(request.caller))
      const device = findDevice(snapshot, request.params.deviceUuid)
      if (!device) throw problems.notFound('This customer has no such device.')
      return device
    }
  )

  app.get(
    '/customers/:customerId/tree',
    {
      config: { id: 'portal.tree', access: SEES_DEVICES, docs: DOCS.tree },
      schema: { params: CustomerParams }
    },
    async (request, reply) => {
      const snapshot = await snapshots.of(request.params.customerId, signedIn(request.caller))
      reply.header('vary', 'accept, accept-encoding')
      if (request.headers.accept?.includes('application/x-ndjson')) {
        return reply.type('application/x-ndjson').send(Readable.from(deviceLines(snapshot)))
      }
      const { body, encoding, etag } = await represent(
        snapshot,
        String(request.headers['accept-encoding'] ?? '')
      )
      reply.header('etag', etag)
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
      if (encoding !== null) reply.header('content-encoding', encoding)
      return reply.type('application/json; charset=utf-8').send(body)
    }
  )
}

/** Enforcement has run before: without a caller no handler of these routes is reached. */
function signedIn(caller: Caller | null): Caller {
  if (caller === null) throw problems.notSignedIn()
  return caller
}
