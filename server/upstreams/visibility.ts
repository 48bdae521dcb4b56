// What somebody gets to see from an upstream, as a name that can be compared: answers and fetches are shared only where
// it is the same. It decides nothing about access.
import { hash } from 'node:crypto'
import type { User } from '#shared/entities.ts'
import type { Bearer } from './client.ts'

/** Somebody for whom an upstream is read, and who they are to it. */
export interface Viewer extends Bearer {
  user: Pick<User, 'id' | 'roleAssignments' | 'organizationId' | 'userType'>
}

/** The same for all who hold the same roles at the same scopes, belong to the same organization and are of one type. */
export function visibilityOf({ user: { roleAssignments, organizationId, userType } }: Viewer): string {
  const held = roleAssignments.map(({ role, scope }) => `${role} ${scope}`).sort()
  return hash('sha256', JSON.stringify([userType, organizationId, held]), 'base64url')
}
