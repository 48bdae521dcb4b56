// Cached answers belong to a person in an organization: every key begins with both.
import { createContext, useContext } from 'react'

export interface Identity {
  userId: string
  organizationId: string
}

export type Key = readonly [userId: string, organizationId: string, path: string]

export const IdentityContext = createContext<Identity>({ userId: '', organizationId: '' })

export function useKeyOf(): (path: string) => Key {
  const { userId, organizationId } = useContext(IdentityContext)
  return (path) => [userId, organizationId, path]
}
