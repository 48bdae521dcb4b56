import { useParams } from 'react-router-dom'
import { ownCustomer } from '#shared/landing.ts'
import { paths } from '../../lib/paths.ts'
import { useIntegrator } from './integrator.ts'
import { useSession } from './session.ts'

export interface Crumb {
  /** Null while its words are not known yet. */
  label: string | null
  to?: string
}

/** Home, and the integrator that a global admin works in. */
export function useOrganizationTrail(): Crumb[] {
  const { chosen } = useIntegrator()
  const home = { label: 'Home', to: paths.home }
  return chosen ? [home, { label: chosen.orgName || null, to: paths.integrator(chosen.id) }] : [home]
}

/** The way from Home to where this person is: their integrator (global admin), their customer (if one of several). */
export function useTrail(customerName?: string | null): Crumb[] {
  const session = useSession()
  const { organizationId, customerId } = useParams()
  const trail = useOrganizationTrail()
  if (customerId && customerId !== ownCustomer(session)) {
    trail.push({ label: customerName ?? null, to: paths.customer(customerId, organizationId) })
  }
  return trail
}
