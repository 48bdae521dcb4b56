import type { Organization } from '#shared/answers/management.ts'
import type { Bootstrap } from '#shared/answers/portal.ts'
import { calls } from '#shared/calls.ts'
import { customerScope, organizationScope } from '#shared/scopes.ts'
import { itself, readAll } from '../http/hal.ts'
import { takeData } from '../http/prepared.ts'
import { type Load, useLoad, useQuery } from '../http/query.ts'
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
export function useIntegrators(isNeeded: boolean): Load<Integrator[]> {
  return useQuery(isNeeded ? calls.integrators : null, (path, signal) =>
    readAll(path, 'organizations', itself<Integrator>, signal)
  )
}

/** Loads an organization, its scope and the integrator of a customer (`partnerId`). Loads nothing without an id. */
export function useOrganization(organizationId: string | null) {
  const { data, ...load } = useLoad<Organization>(organizationId ? calls.organization(organizationId) : null)
  if (!data) return { ...load, data: undefined }
  const { id, orgName, partnerId = null } = data
  const scope = partnerId === null ? organizationScope(id) : customerScope(partnerId, id)
  return { ...load, data: { id, orgName, partnerId, scope } }
}
