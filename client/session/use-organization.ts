import { isGlobalAdmin } from '../lib/landing.ts'
import { useIntegrator } from './integrator.ts'
import { useSession } from './session.ts'

export interface OrganizationAtHand {
  id: string | null
  name: string | null
}

/** The organization that reports, exports and the audit log are about: one's own, or the integrator that was chosen (§6). */
export function useOrganization(): OrganizationAtHand {
  const session = useSession()
  const { chosen } = useIntegrator()
  if (isGlobalAdmin(session)) return { id: chosen?.id ?? null, name: chosen?.orgName || null }
  return { id: session.user.organizationId, name: session.user.organizationName }
}
