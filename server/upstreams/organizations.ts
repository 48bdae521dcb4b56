// Calls of `/api/v2/management/organizations`: fetches integrators and their customers.
import type { User } from '#shared/answers/portal.ts'
import type { Organization } from '#shared/entities.ts'
import { problems } from '../errors.ts'
import type { Bearer, UpstreamClient } from './client.ts'
import { count, id, name, raw } from './fields.ts'
import { fetchAll } from './hal.ts'

const PATH = '/api/v2/management/organizations'
/** A page of organizations with up to 4 KB and 100 values each stays within ANSWER_LIMITS (client.ts). Most have 300 bytes. */
const PAGE_SIZE = 500

/** Fetches an organization. Throws a 404 problem if it does not exist, or 502 if the answer has another id. */
export async function fetchOrganization(
  client: UpstreamClient,
  organizationId: string,
  bearer: Bearer,
  signal?: AbortSignal
): Promise<Organization> {
  const path = `${PATH}/${encodeURIComponent(organizationId)}`
  const organization = toOrganization(await client.get('MANAGEMENT', path, bearer, signal))
  if (organization.id !== organizationId) throw problems.upstreamGarbled()
  return organization
}

/** Fetches those customers of an organization that the caller may see as a user of their type. */
export async function fetchCustomers(
  client: UpstreamClient,
  organizationId: string,
  caller: Bearer & { user: Pick<User, 'userType'> },
  signal?: AbortSignal
): Promise<Organization[]> {
  const path = `${PATH}/${encodeURIComponent(organizationId)}/customers?userType=${caller.user.userType}`
  const list = { api: 'MANAGEMENT', path, rel: 'customers', size: PAGE_SIZE, read: toOrganization } as const
  return fetchAll(client, list, caller, signal)
}

function toOrganization(body: unknown): Organization {
  const organization = raw(body)
  const organizationId = id(organization.id)
  if (organizationId === null) throw problems.upstreamGarbled()
  return {
    id: organizationId,
    orgName: name(organization.orgName),
    isTechViewEnabled: organization.isTechViewEnabled === true,
    projectCount: count(organization.projectCount),
    deviceCount: count(organization.deviceCount),
    partnerId: id(organization.partnerId)
  }
}
