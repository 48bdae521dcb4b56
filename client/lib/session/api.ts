import type { Organization } from '#shared/answers/management.ts'
import type { Bootstrap } from '#shared/answers/portal.ts'
import { calls } from '#shared/calls.ts'
import { customerScope, organizationScope } from '#shared/scopes.ts'
import { allPages, halPage, itself } from '../http/hal.ts'
import { takeData } from '../http/prepared.ts'
import { get, type QueryResult, useQuery } from '../http/query.ts'
import { request } from '../http/request.ts'
import { signInSucceeded } from '../http/sign-in.ts'
import { rememberPerson } from '../storage.ts'
import { rememberSupport } from './support.ts'

export interface Loaded {
  bootstrap: Bootstrap
  /** The page's clock (`performance.now()`) when the bootstrap arrived. */
  receivedAtMs: number
}

/** Loads the bootstrap, or uses the bootstrap that the gateway put into the page. */
export async function loadBootstrap(): Promise<Loaded> {
  const pageBootstrap = takeData<Bootstrap>('bootstrap')
  const bootstrap = pageBootstrap ?? (await request<Bootstrap>(calls.bootstrap))
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  signInSucceeded()
  rememberPerson(bootstrap.user)
  rememberSupport(bootstrap.support)
  return { bootstrap, receivedAtMs: (pageBootstrap && navigation?.responseStart) ?? performance.now() }
}

export type Integrator = Pick<Organization, 'id' | 'orgName'>

/** The integrators with tech view enabled. */
export function useIntegrators(isNeeded: boolean): QueryResult<Integrator[]> {
  return useQuery(isNeeded ? calls.integrators : null, allPages(halPage('organizations', itself<Integrator>)))
}

/** Any organization, its scope and the integrator of a customer (`partnerId`). Loads nothing without an id. */
export function useOrganizationById(organizationId: string | null) {
  const path = organizationId ? calls.organization(organizationId) : null
  const { data, ...result } = useQuery(path, get<Organization>)
  if (!data) return { ...result, data: undefined }
  const { id, orgName, partnerId = null } = data
  const scope = partnerId === null ? organizationScope(id) : customerScope(partnerId, id)
  return { ...result, data: { id, orgName, partnerId, scope } }
}
