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
