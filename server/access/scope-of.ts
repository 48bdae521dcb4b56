// Finds the scope of a call from its path. If the path names only an object, uses a claim (`x-customer-id`) and proves it: the
// object must belong to the named customer. A claim alone decides nothing.
import type { FastifyRequest } from 'fastify'
import { customerScope, isId, organizationScope, parseScope, ROOT_SCOPE } from '#shared/scopes.ts'
import { problems } from '../errors.ts'
import type { Caller, ScopeFinder } from '../types.ts'
import { raw } from '../upstreams/fields.ts'
import { linkedId } from './links.ts'
import type { Lookups } from './lookups.ts'

/** A call whose access is to be decided. */
export interface Call {
  request: FastifyRequest
  caller: Caller
  /** The parsed body, for finders and checks that need it. */
  body: unknown
}

type FindOrganization = (call: Call, lookups: Lookups) => string | null | Promise<string | null>
type Belongs = (call: Call, organizationId: string, lookups: Lookups) => Promise<ReadObject | null>

/** Reads what the proof of ownership knows of the object of a call, without an upstream call; null if it knows nothing. */
type ReadObject = () => Promise<KnownObject | null>
export interface KnownObject {
  fields: object
  /** When they were read, in milliseconds since 1970; null for just now. */
  readAt: number | null
}

interface Finder {
  /** Completes "Needs the action … at" in openapi.json. */
  at: string
  /** The path parameter that the finder reads and proves. */
  parameter?: string
  /** Further identifiers of path, query or body that the finder proves. */
  proves?: readonly string[]
  /** The finder reads the body, so it runs once the body is parsed. */
  needsBody?: true
  /** Finds the id of the integrator or customer at which access is decided; null for the root. */
  organizationOf: FindOrganization
  /** The organization must be a customer, not an integrator. */
  isCustomer?: true
  /** Null unless the object of the call belongs to the organization. Runs after the action is allowed there. */
  belongs?: Belongs
}

/** The header with the claim: the customer or organization that has the object of the call. */
const CUSTOMER_HEADER = 'x-customer-id'

const inPath =
  (parameter: string) =>
  ({ request }: Call): string =>
    (request.params as Record<string, string | undefined>)[parameter] ?? ''

const owned =
  (kind: 'project' | 'device', id: (call: Call) => string): Belongs =>
  async (call, organizationId, { ownership }) => {
    const proof = await ownership.proofOf(kind, [id(call)], organizationId, call.caller)
    if (proof === null) return null
    return async () => {
      // The worker may have freed the inventory meanwhile, which is no reason to fail the call.
      const fields = await proof.customer.object(kind, id(call)).catch(() => null)
      return fields && { fields, readAt: proof.takenAt }
    }
  }

const ownedBy =
  (kind: 'serviceAccount' | 'export', id: (call: Call) => string): Belongs =>
  async (call, organizationId, { ownership }) => {
    const { owner, object } = await ownership.ownedObject(kind, id(call), call.caller)
    return owner === organizationId ? async () => ({ fields: object, readAt: null }) : null
  }

const device = { at: 'the customer that has the device', organizationOf: claimOf, isCustomer: true } as const

/** All ways to find a scope, by the name that routes declare. */
export const FINDERS: Record<ScopeFinder, Finder> = {
  root: { at: 'the root scope `/`', organizationOf: () => null },
  /** For callers who hold the action at any scope: a registration code belongs to no customer yet. */
  anywhere: { at: 'any scope', organizationOf: () => null },
  organization: {
    at: 'the organization or customer of the path',
    parameter: 'organizationId',
    organizationOf: inPath('organizationId')
  },
  /** Also for members of the organization without the action: the upstream decides which entries they see. */
  'own-organization': {
    at: 'the organization of the path, or membership of that organization',
    parameter: 'organizationId',
    organizationOf: inPath('organizationId')
  },
  customer: {
    at: 'the customer of the path',
    parameter: 'customerId',
    organizationOf: inPath('customerId'),
    isCustomer: true
  },
  project: {
    at: 'the customer that has the project',
    parameter: 'projectId',
    organizationOf: claimOf,
    isCustomer: true,
    belongs: owned('project', inPath('projectId'))
  },
  device: { ...device, parameter: 'deviceId', belongs: owned('device', inPath('deviceId')) },
  'device-uuid': { ...device, parameter: 'deviceUuid', belongs: owned('device', inPath('deviceUuid')) },
  /** `/customers/{customerId}/…/{deviceId}`: the path is a claim, so the device must belong to the customer. */
  'customer-device': {
    at: 'the customer of the path, which must have the device',
    parameter: 'customerId',
    proves: ['deviceId', 'deviceUuid'],
    organizationOf: inPath('customerId'),
    isCustomer: true,
    belongs: owned('device', (call) => inPath('deviceId')(call) || inPath('deviceUuid')(call))
  },
  'query-device': {
    ...device,
    at: 'the customer that has the device `deviceId`',
    proves: ['deviceId'],
    belongs: owned('device', (call) => queryOf(call, 'deviceId'))
  },
  'query-organization': {
    at: 'the customer or organization that the query names',
    proves: ['customerId', 'organizationId'],
    organizationOf(call) {
      const { customerId, organizationId } = call.request.query as Record<string, unknown>
      if (customerId !== undefined && organizationId !== undefined)
        throw problems.badRequest('The query must name a customer or an organization, not both.')
      return queryOf(call, customerId === undefined ? 'organizationId' : 'customerId')
    }
  },
  'service-account': {
    at: 'the customer or organization that has the service account',
    parameter: 'serviceAccountId',
    proves: ['customerId'],
    organizationOf: claimOf,
    belongs: ownedBy('serviceAccount', inPath('serviceAccountId'))
  },
  /** A link to a file carries no header: the claim may be in the query. */
  export: {
    at: 'the customer or organization that has the export',
    parameter: 'exportId',
    proves: ['customerId'],
    organizationOf: claimOrQuery,
    belongs: ownedBy('export', inPath('exportId'))
  },
  user: {
    at: "the user's organization",
    parameter: 'userId',
    organizationOf: (call, lookups) => lookups.organizationOfUser(inPath('userId')(call), call.caller)
  },
  invitation: {
    at: 'the customer or organization that has the invitation',
    parameter: 'invitationId',
    organizationOf: claimOf,
    async belongs(call, organizationId, { ownership }) {
      const invitationId = inPath('invitationId')(call)
      const isOwn = await ownership.hasInvitation(invitationId, organizationId, call.caller)
      return isOwn ? async () => null : null
    }
  },
  /** A check of the route proves that the objects in the body belong to this customer. */
  'claimed-customer': {
    at: 'the customer that the header `x-customer-id` names',
    organizationOf: claimOf,
    isCustomer: true
  },
  'body-organization': {
    at: "the customer that the body names, or the integrator if it names no customer; `partner` must be the customer's integrator",
    proves: ['customer', 'customerId', 'partner', 'partnerId'],
    needsBody: true,
    organizationOf: organizationOfBody
  },
  'body-device': {
    ...device,
    at: 'the customer that has the device of the body',
    proves: ['deviceUuid'],
    needsBody: true,
    belongs: owned('device', ({ body }) => String(raw(body).deviceUuid ?? ''))
  }
}

/** Whether the call must name its customer with `x-customer-id`, or in the query if the finder also reads it there. */
export const needsCustomerHeader = ({ organizationOf }: Finder): boolean =>
  organizationOf === claimOf || organizationOf === claimOrQuery

/**
 * The scope of an organization. Uses only the directory: the caller's own assignments may be outdated after a customer has
 * moved. Throws a 404 problem if there is no such organization, and the directory's own problems.
 */
export async function scopeOf(
  organizationId: string | null,
  { isCustomer }: Finder,
  { caller }: Call,
  { organizations }: Lookups
): Promise<string> {
  if (organizationId === null) return ROOT_SCOPE
  if (!isId(organizationId)) throw problems.notFound()
  const { partnerId } = await organizations.find(organizationId, caller)
  const scope =
    partnerId === null ? organizationScope(organizationId) : customerScope(partnerId, organizationId)
  if (isCustomer && parseScope(scope)?.customerId == null) throw problems.notFound()
  return scope
}

function claimOf({ request }: Call): string {
  const claim = request.headers[CUSTOMER_HEADER]
  if (typeof claim === 'string' && isId(claim)) return claim
  throw problems.badRequest(`The header ${CUSTOMER_HEADER} must name the customer.`)
}

function claimOrQuery(call: Call): string {
  const { headers, query } = call.request
  const isInQuery =
    headers[CUSTOMER_HEADER] === undefined && (query as Record<string, unknown>).customerId !== undefined
  return isInQuery ? queryOf(call, 'customerId') : claimOf(call)
}

/** The customer that the body names, otherwise the integrator. */
async function organizationOfBody({ body, caller }: Call, { organizations }: Lookups): Promise<string> {
  const { customer, customerId, partner, partnerId } = raw(body)
  const namedCustomer = agreedId(customer, customerId)
  const namedIntegrator = agreedId(partner, partnerId)
  const orgId = namedCustomer ?? namedIntegrator
  if (orgId === null) throw problems.badRequest('The body must name a customer, such as "/organizations/9".')
  const { partnerId: ownerId } = await organizations.find(orgId, caller)
  if (namedIntegrator !== null && (ownerId ?? orgId) !== namedIntegrator)
    throw problems.badRequest('The integrator in the body is not that of the customer.')
  return orgId
}

/** A body may name an organization by link and by id. Both must agree, because the upstream might read either of them. */
function agreedId(link: unknown, plain: unknown): string | null {
  const idOfLink = linkedId('organizations', link)
  const plainId = typeof plain === 'string' ? plain : null
  if (idOfLink !== null && plainId !== null && idOfLink !== plainId)
    throw problems.badRequest('The body names two different organizations.')
  return idOfLink ?? plainId
}

/** An id in the query, which the schema has already checked. */
function queryOf({ request }: Call, name: string): string {
  const value = (request.query as Record<string, unknown>)[name]
  if (typeof value === 'string' && isId(value)) return value
  throw problems.badRequest(`The query needs one ${name}.`)
}
