// The integrator that a global admin has chosen: from the address, else the last chosen integrator.
import { createContext, useContext } from 'react'
import { useLocation, useMatch } from 'react-router-dom'
import { isGlobalAdmin } from '#shared/landing.ts'
import type { QueryResult } from '../http/query.ts'
import type { Integrator } from './api.ts'
import { useSession } from './session.ts'

interface IntegratorChoice {
  /** Null for everybody except global admins. */
  list: QueryResult<Integrator[]> | null
  /** The integrator's name is empty while the list loads. */
  chosen: Integrator | null
  /** The integrator in the address does not exist, or has tech view turned off. */
  unknown: boolean
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

/** The integrator in the address: in the path or as `?organizationId=`. */
export function useIntegratorInAddress(): string | undefined {
  const { search } = useLocation()
  const inPath = useMatch('/integrators/:organizationId/*')?.params.organizationId
  return inPath ?? (new URLSearchParams(search).get('organizationId') || undefined)
}

export interface OrganizationAtHand {
  id: string | null
  name: string | null
}

/** The organization of reports, exports and the audit log: the person's own, or the chosen integrator. */
export function useOrganization(): OrganizationAtHand {
  const session = useSession()
  const { chosen } = useIntegrator()
  if (isGlobalAdmin(session)) return { id: chosen?.id ?? null, name: chosen?.orgName || null }
  return { id: session.user.organizationId, name: session.user.organizationName }
}
