// The integrator that a global admin works in: the address says it, the last one is remembered.
import { createContext, useContext } from 'react'
import { useLocation, useMatch } from 'react-router-dom'
import { isGlobalAdmin } from '#shared/landing.ts'
import type { Load } from '../../lib/http/query.ts'
import type { Integrator } from './api.ts'
import { useSession } from './session.ts'

interface IntegratorChoice {
  /** Those to choose from; null for everybody but a global admin. */
  list: Load<Integrator[]> | null
  /** The chosen one; its name is empty until the list is there. */
  chosen: Integrator | null
  /** The address names one that is not there, or has tech view turned off. */
  unknown: boolean
  /** Works without any from now on. */
  forget: () => void
}

export const IntegratorContext = createContext<IntegratorChoice>({
  list: null,
  chosen: null,
  unknown: false,
  forget: () => {}
})

export function useIntegrator(): IntegratorChoice {
  return useContext(IntegratorContext)
}

/** The integrator that the address names: in its path, or as `?organizationId=` of the pages that belong to one. */
export function useIntegratorInAddress(): string | undefined {
  const { search } = useLocation()
  const inPath = useMatch('/integrators/:organizationId/*')?.params.organizationId
  return inPath ?? (new URLSearchParams(search).get('organizationId') || undefined)
}

export interface OrganizationAtHand {
  id: string | null
  name: string | null
}

/** The organization that reports, exports and the audit log are about: one's own, or the integrator that was chosen. */
export function useOrganization(): OrganizationAtHand {
  const session = useSession()
  const { chosen } = useIntegrator()
  if (isGlobalAdmin(session)) return { id: chosen?.id ?? null, name: chosen?.orgName || null }
  return { id: session.user.organizationId, name: session.user.organizationName }
}
