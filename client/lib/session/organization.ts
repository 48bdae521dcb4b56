// The organization here: the person's own or, for a global admin, the integrator in the address, else the last chosen one.
import { createContext, useContext } from 'react'
import type { QueryResult } from '../http/query.ts'
import type { Integrator } from './api.ts'

interface CurrentOrganization {
  /** Null for a global admin who has not chosen an integrator. */
  id: string | null
  /** Null while it is not known. */
  name: string | null
  /** The integrator that a global admin has chosen; null for everybody else. Its name is empty while the list loads. */
  chosen: Integrator | null
  /** What a global admin may choose; null for everybody else. */
  integrators: QueryResult<Integrator[]> | null
  /** The integrator in the address does not exist, or has tech view turned off. */
  unknown: boolean
  forget: () => void
}

export const OrganizationContext = createContext<CurrentOrganization | null>(null)

export function useOrganization(): CurrentOrganization {
  const organization = useContext(OrganizationContext)
  if (!organization) throw new Error('useOrganization is used outside of OrganizationContext')
  return organization
}
