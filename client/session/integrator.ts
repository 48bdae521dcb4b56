// The integrator that a global admin works in (screens.md T12): the address says it, the last one is remembered.
import { createContext, useContext } from 'react'
import type { Integrator } from '../api/organizations.ts'
import type { Load } from '../api/use-load.ts'

export interface IntegratorChoice {
  /** Those to choose from; null for everybody but a global admin. */
  list: Load<Integrator[]> | null
  /** The chosen one; its name is empty until the list is there. */
  chosen: Integrator | null
}

export const IntegratorContext = createContext<IntegratorChoice>({ list: null, chosen: null })

export function useIntegrator(): IntegratorChoice {
  return useContext(IntegratorContext)
}
