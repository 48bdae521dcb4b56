// The scope that a call will really touch. It is found from the path and, where that names only an object, from a claim
// (`x-customer-id`) that is then proved: the object must belong to the customer named. A claim alone decides nothing.
import type { FastifyRequest } from 'fastify'
import { isId, parseScope, ROOT_SCOPE } from '#shared/scopes.ts'
import { problems } from '../errors.ts'
import type { Caller, ScopeFinder } from '../types.ts'
import { raw } from '../upstreams/fields.ts'
import type { OrganizationDirectory } from '../upstreams/organization-directory.ts'
import { linkedId } from './links.ts'
import { customerScopeOf, scopeOf } from './organization-scope.ts'
import type { Ownership } from './ownership.ts'

/** A call on its way to the decision. */
export interface Call {
  request: FastifyRequest
  caller: Caller
  /** The parsed body, of finders and checks that need it. */
  body: unknown
}

export interface Lookups {
  organizations: OrganizationDirectory
  ownership: Ownership
  /** The organization of a user. Throws a 404 problem when there is no such user. */
  organizationOfUser: (userId: string, caller: Caller) => Promise<string | null>
}

interface Found {
  scope: string
  /** Proves the claim that the scope rests on; runs after the action is allowed there. Throws a 404 problem. */
  prove?: () => Promise<void>
}

interface Finder {
  /** The path parameter that it reads. */
  parameter: string | null
  /** Identifiers of the call, of path, query or body, that belong to the scope found. */
  proves: readonly string[]
  /** It reads the body, so it decides once that is parsed. */
  needsBody?: true
  find: (call: Call, lookups: Lookups) => Promise<Found>
}

/** Where a call's object is to be looked for. */
export const CUSTOMER_HEADER = 'x-customer-id'

const organization = (parameter: string): Finder => ({
  parameter,
  proves: [parameter],
  find: async (call, lookups) => ({
    scope: await scopeOf(parameterOf(call, parameter), call.caller, lookups)
  })
})

const object = (kind: 'project' | 'device', parameter: string): Finder => ({
  parameter,
  proves: [parameter],
  find: (call, lookups) => claimed(call, lookups, [parameterOf(call, parameter)], kind)
})

const owned = (kind: 'serviceAccount' | 'export', parameter: string, claimFor = claimOf): Finder => ({
  parameter,
  proves: [parameter, 'customerId'],
  find: async (call, lookups) => {
    const claim = claimFor(call)
    const prove = async () => {
      const owner = await lookups.ownership.ownerOf(kind, parameterOf(call, parameter), call.caller)
      if (owner !== claim) throw problems.notFound()
    }
    return { scope: await scopeOf(claim, call.caller, lookups), prove }
  }
})

/** Every way to find a scope, by the name that routes declare. */
export const FINDERS: Record<ScopeFinder, Finder> = {
  /** `/`. */
  root: { parameter: null, proves: [], find: async () => ({ scope: ROOT_SCOPE }) },
  /** Allowed to those who hold the action at any scope: a registration code belongs to nobody yet. */
  anywhere: { parameter: null, proves: [], find: async () => ({ scope: ROOT_SCOPE }) },
  organization: organization('organizationId'),
  /** Adds, to those with the action, the members of the organization: their list is what the upstream lets them see. */
  'own-organization': organization('organizationId'),
  customer: {
    parameter: 'customerId',
    proves: ['customerId'],
    find: async (call, lookups) => ({
      scope: await customerScopeOf(parameterOf(call, 'customerId'), call.caller, lookups)
    })
  },
  project: object('project', 'projectId'),
  device: object('device', 'deviceId'),
  'device-uuid': object('device', 'deviceUuid'),
  /** `/customers/{customerId}/…/{deviceId}`: the path claims, so the device is proved to be that customer's. */
  'customer-device': {
    parameter: 'customerId',
    proves: ['customerId', 'deviceId', 'deviceUuid'],
    find: async (call, lookups) => {
      const { customerId = '', deviceId, deviceUuid } = parametersOf(call)
      return belonging(call, lookups, customerId, [deviceId ?? deviceUuid ?? ''], 'device')
    }
  },
  'query-device': {
    parameter: null,
    proves: ['deviceId'],
    find: (call, lookups) => claimed(call, lookups, [queryOf(call, 'deviceId')], 'device')
  },
  'query-organization': {
    parameter: null,
    proves: ['customerId', 'organizationId'],
    find: async (call, lookups) => {
      const { customerId, organizationId } = call.request.query as Record<string, unknown>
      if (customerId !== undefined && organizationId !== undefined)
        throw problems.badRequest('The query names either a customer or an organization.')
      const named = queryOf(call, customerId === undefined ? 'organizationId' : 'customerId')
      return { scope: await scopeOf(named, call.caller, lookups) }
    }
  },
  'service-account': owned('serviceAccount', 'serviceAccountId'),
  /** A link to a file carries no header: the claim may stand in the query. */
  export: owned('export', 'exportId', claimOrQuery),
  user: {
    parameter: 'userId',
    proves: ['userId'],
    find: async (call, lookups) => {
      const home = await lookups.organizationOfUser(parameterOf(call, 'userId'), call.caller)
      return { scope: home === null ? ROOT_SCOPE : await scopeOf(home, call.caller, lookups) }
    }
  },
  invitation: {
    parameter: 'invitationId',
    proves: ['invitationId'],
    find: async (call, lookups) => {
      const claim = claimOf(call)
      const prove = async () => {
        const there = await lookups.ownership.hasInvitation(
          parameterOf(call, 'invitationId'),
          claim,
          call.caller
        )
        if (!there) throw problems.notFound()
      }
      return { scope: await scopeOf(claim, call.caller, lookups), prove }
    }
  },
  /** The customer that the header names; what the body names is proved by a check. */
  'claimed-customer': {
    parameter: null,
    proves: [],
    find: async (call, lookups) => ({ scope: await customerScopeOf(claimOf(call), call.caller, lookups) })
  },
  /** The customer, or for want of one the integrator, that the body names. */
  'body-organization': {
    parameter: null,
    proves: ['customer', 'customerId', 'partner', 'partnerId'],
    needsBody: true,
    find: async (call, lookups) => {
      const { customer, customerId, partner, partnerId } = raw(call.body)
      const home = oneOf(customer, customerId)
      const integrator = oneOf(partner, partnerId)
      const named = home ?? integrator
      if (named === null)
        throw problems.badRequest('The body must name a customer, such as "/organizations/9".')
      const scope = await scopeOf(named, call.caller, lookups)
      if (integrator !== null && parseScope(scope)?.organizationId !== integrator)
        throw problems.badRequest('The body names another integrator than the customer has.')
      return { scope }
    }
  },
  'body-device': {
    parameter: null,
    proves: ['deviceUuid'],
    needsBody: true,
    find: (call, lookups) => claimed(call, lookups, [String(raw(call.body).deviceUuid ?? '')], 'device')
  }
}

function claimed(call: Call, lookups: Lookups, ids: string[], kind: 'project' | 'device'): Promise<Found> {
  return belonging(call, lookups, claimOf(call), ids, kind)
}

async function belonging(
  call: Call,
  lookups: Lookups,
  customerId: string,
  ids: string[],
  kind: 'project' | 'device'
): Promise<Found> {
  const prove = async () => {
    if (!(await lookups.ownership.all(kind, ids, customerId, call.caller))) throw problems.notFound()
  }
  return { scope: await customerScopeOf(customerId, call.caller, lookups), prove }
}

function claimOf({ request }: Call): string {
  const claim = request.headers[CUSTOMER_HEADER]
  if (typeof claim === 'string' && isId(claim)) return claim
  throw problems.badRequest(`Say with the header ${CUSTOMER_HEADER} which customer this is about.`)
}

function claimOrQuery(call: Call): string {
  const { headers, query } = call.request
  const inQuery =
    headers[CUSTOMER_HEADER] === undefined && (query as Record<string, unknown>).customerId !== undefined
  return inQuery ? queryOf(call, 'customerId') : claimOf(call)
}

function parametersOf({ request }: Call): Record<string, string | undefined> {
  return request.params as Record<string, string | undefined>
}

function parameterOf(call: Call, name: string): string {
  const value = parametersOf(call)[name]
  if (!value) throw problems.notFound()
  return value
}

/** What a body names in two ways must be one, and a link must be one: the upstream might read what we do not. */
function oneOf(link: unknown, plain: unknown): string | null {
  const linked = linkedId('organizations', link)
  if (linked === null && link !== undefined && link !== null)
    throw problems.badRequest('An organization is linked as "/organizations/9".')
  const named = typeof plain === 'string' ? plain : null
  if (linked !== null && named !== null && linked !== named)
    throw problems.badRequest('The body names two organizations where one is meant.')
  return linked ?? named
}

/** An id in the query, which was read by its schema. */
function queryOf({ request }: Call, name: string): string {
  const value = (request.query as Record<string, unknown>)[name]
  if (typeof value === 'string' && isId(value)) return value
  throw problems.badRequest(`The query needs one ${name}.`)
}
