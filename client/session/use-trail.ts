import { useParams } from 'react-router-dom'
import { ownCustomer } from '../lib/landing.ts'
import { paths } from '../paths.ts'
import { useIntegrator } from './integrator.ts'
import { useSession } from './session.ts'

export interface Crumb {
  /** Null while its words are not known yet. */
  label: string | null
  to?: string
}

/** The way from Home to where this person is: their integrator (global admin), their customer (if one of several). */
export function useTrail(customerName?: string | null): Crumb[] {
  const session = useSession()
  const { organizationId, customerId } = useParams()
  const { chosen } = useIntegrator()
  const trail: Crumb[] = [{ label: 'Home', to: paths.home }]
  if (organizationId) {
    trail.push({ label: chosen?.orgName || null, to: paths.integrator(organizationId) })
  }
  if (customerId && customerId !== ownCustomer(session)) {
    trail.push({ label: customerName ?? null, to: paths.customer(customerId, organizationId) })
  }
  return trail
}
