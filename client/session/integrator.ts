// The integrator that a global admin works in (screens.md T12): the address says it, the last one is remembered.
import { createContext, useContext } from 'react'
import { useLocation, useMatch } from 'react-router-dom'
import type { Integrator } from '../api/organizations.ts'
import type { Load } from '../api/use-load.ts'

export interface IntegratorChoice {
  /** Those to choose from; null for everybody but a global admin. */
  list: Load<Integrator[]> | null
  /** The chosen one; its name is empty until the list is there. */
  chosen: Integrator | null
  /** Works without any from now on. */
  forget: () => void
}

export const IntegratorContext = createContext<IntegratorChoice>({
  list: null,
  chosen: null,
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
