// Integrators and customers. A caller sees only the customers that the roles include.
import { recorderOf } from '../../api/audit.ts'
import { callerOf } from '../../api/bearer.ts'
import { halPage } from '../../api/hal.ts'
import { found, malformed } from '../../api/problems.ts'
import { MANAGEMENT, params, type Upstream } from '../../api/upstream.ts'
import type { CustomerRecords } from '../../records/customer-records.ts'
import type { UserRecord } from '../../records/people.ts'
import { isMarker } from '../../records/roles.ts'
import type { OrganizationRecord } from '../../records/sites.ts'
import { customersOf, type State, scopeOf } from '../../state.ts'

export const organizations: Upstream = (api, state) => {
  const toBody = (organization: OrganizationRecord): object => organizationBody(state, organization)
  const record = recorderOf(state, 'ORGANIZATION', ({ id, orgName: name }: OrganizationRecord) => ({
    id,
    name,
    organizationId: id
  }))

  api.get(`${MANAGEMENT}/organizations/search/findByIsTechViewEnabled`, async (request) => {
    const { enabled } = request.query as { enabled?: string }
    const isEnabled = booleanQuery('enabled', enabled)
    const items = [...state.organizations.values()].filter(
      (organization) => organization.partnerId === null && organization.isTechViewEnabled === isEnabled
    )
    return halPage(request, {
      rel: 'organizations',
      items,
      toBody,
      searched: (organization) => [organization.orgName]
    })
  })

  api.get(`${MANAGEMENT}/organizations/:id`, async (request) =>
    toBody(organizationOf(state, params(request).id))
  )

  api.get(`${MANAGEMENT}/organizations/:id/customers`, async (request) => {
    const organization = organizationOf(state, params(request).id)
    const items = visibleCustomers(state, callerOf(request), organization)
    return halPage(request, { rel: 'customers', items, toBody, searched: (customer) => [customer.orgName] })
  })

  api.patch(`${MANAGEMENT}/organizations/:id/techSupport`, async (request) => {
    const organization = organizationOf(state, params(request).id)
    const enable = booleanQuery('enable', (request.query as { enable?: string }).enable)
    organization.isTechViewEnabled = enable
    record(request, enable ? 'TECH_SUPPORT_ENABLED' : 'TECH_SUPPORT_DISABLED', organization)
    return toBody(organization)
  })
}

export function organizationOf(state: State, id: string): OrganizationRecord {
  return found(state.organizations.get(id), `organization ${id}`)
}

function booleanQuery(name: string, value: string | undefined): boolean {
  if (value !== 'true' && value !== 'false') throw malformed(`${name} must be true or false`, name)
  return value === 'true'
}

function organizationBody(state: State, organization: OrganizationRecord): object {
  const { id, orgName, isTechViewEnabled, partnerId } = organization
  const customers = partnerId === null ? customersOf(state, id) : [organization]
  const countOf = (records: CustomerRecords<{ id: string; customerId: string }>): number =>
    customers.reduce((sum, customer) => sum + records.of(customer.id).length, 0)
  return {
    id,
    orgName,
    isTechViewEnabled,
    projectCount: countOf(state.projects),
    deviceCount: countOf(state.devices),
    ...(partnerId !== null && { partnerId })
  }
}

function visibleCustomers(
  state: State,
  caller: UserRecord,
  organization: OrganizationRecord
): OrganizationRecord[] {
  const scopes = caller.roleAssignments.filter((role) => !isMarker(role.roleNumber)).map((role) => role.scope)
  // A call with a customer's id, as users of a customer make, returns all customers of the caller's roles.
  const candidates =
    organization.partnerId === null
      ? customersOf(state, organization.id)
      : [...state.organizations.values()].filter((organization) => organization.partnerId !== null)
  if (scopes.includes('/')) return organization.partnerId === null ? candidates : [organization]
  const hasPartnerRole = organization.partnerId === null && scopes.includes(scopeOf(organization))
  return hasPartnerRole ? candidates : candidates.filter((customer) => scopes.includes(scopeOf(customer)))
}
