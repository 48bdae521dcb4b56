import { useParams } from 'react-router-dom'
import { ownCustomer } from '#shared/landing.ts'
import { paths } from '../paths.ts'
import { useOrganization } from './organization.ts'
import { useSession } from './session.ts'

export interface Crumb {
  /** Null while the label loads. */
  label: string | null
  to?: string
}

export function useOrganizationTrail(): Crumb[] {
  const { chosen } = useOrganization()
  const home = { label: 'Home', to: paths.home }
  return chosen ? [home, { label: chosen.orgName || null, to: paths.integrator(chosen.id) }] : [home]
}

/** Home, the integrator of a global admin, and the customer if the person has several customers. */
export function useTrail(customerName?: string | null): Crumb[] {
  const session = useSession()
  const { organizationId, customerId } = useParams()
  const trail = useOrganizationTrail()
  if (customerId && customerId !== ownCustomer(session)) {
    trail.push({ label: customerName ?? null, to: paths.customer(customerId, organizationId) })
  }
  return trail
}
