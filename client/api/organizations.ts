import { customerScope, organizationScope } from '#shared/scopes.ts'
import type { Load } from './use-load.ts'
import { useLoad } from './use-load.ts'

export interface Integrator {
  id: string
  orgName: string
}

interface OrganizationList {
  _embedded?: { organizations?: Integrator[] }
}

const WITH_TECH_VIEW = '/api/v2/management/organizations/search/findByIsTechViewEnabled?enabled=true'

/** The integrators that a global admin may choose: those with tech view enabled. */
export function useIntegrators(wanted: boolean): Load<Integrator[]> {
  const { data, ...load } = useLoad<OrganizationList>(wanted ? WITH_TECH_VIEW : null)
  return { ...load, data: data && (data._embedded?.organizations ?? []) }
}

export interface OrganizationOf {
  id: string
  orgName: string
  /** The integrator of a customer; null for an integrator. */
  partnerId: string | null
  scope: string
}

/** One organization and where it stands; null loads nothing. */
export function useOrganization(organizationId: string | null): Load<OrganizationOf> {
  const path = organizationId && `/api/v2/management/organizations/${encodeURIComponent(organizationId)}`
  const { data, ...load } = useLoad<Integrator & { partnerId?: string | null }>(path || null)
  if (!data) return { ...load, data: undefined }
  const { id, orgName, partnerId = null } = data
  const scope = partnerId === null ? organizationScope(id) : customerScope(partnerId, id)
  return { ...load, data: { id, orgName, partnerId, scope } }
}
