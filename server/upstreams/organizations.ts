// `/api/v2/management/organizations`: integrators and their customers (upstream contract, organizations).
import type { Organization } from '#shared/entities.ts'
import { FETCH_PAGE_SIZE } from '#shared/limits.ts'
import { problems } from '../errors.ts'
import type { Bearer, UpstreamClient } from './client.ts'
import { count, id, raw, text } from './fields.ts'
import { fetchAll } from './hal.ts'

const PATH = '/api/v2/management/organizations'

/** One organization. Throws a 404 problem when there is none, 502 when the answer is of another one. */
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

/** All customers of an integrator that the caller may see; of a customer user's own organization, those it may see. */
export async function fetchCustomers(
  client: UpstreamClient,
  organizationId: string,
  bearer: Bearer,
  signal?: AbortSignal
): Promise<Organization[]> {
  const path = `${PATH}/${encodeURIComponent(organizationId)}/customers`
  const items = await fetchAll(client, 'MANAGEMENT', path, 'customers', FETCH_PAGE_SIZE, bearer, signal)
  return items.map(toOrganization)
}

function toOrganization(body: unknown): Organization {
  const organization = raw(body)
  const organizationId = id(organization.id)
  if (organizationId === null) throw problems.upstreamGarbled()
  return {
    id: organizationId,
    orgName: text(organization.orgName),
    isTechViewEnabled: organization.isTechViewEnabled === true,
    projectCount: count(organization.projectCount),
    deviceCount: count(organization.deviceCount),
    partnerId: id(organization.partnerId)
  }
}
