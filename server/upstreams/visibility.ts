// What somebody gets to see from an upstream, as a name that can be compared: answers and fetches are shared only where
// it is the same. It decides nothing about access.
import { hash } from 'node:crypto'
import type { User } from '#shared/entities.ts'
import type { Bearer } from './client.ts'

/** Somebody for whom an upstream is read, and who they are to it. */
export interface Viewer extends Bearer {
  readonly user: Readonly<Pick<User, 'id' | 'roleAssignments' | 'organizationId' | 'userType'>>
}

/** One call asks for it with each look-up, and some hold a thousand roles. */
const known = new WeakMap<Viewer['user'], string>()

/** The same for all who hold the same roles at the same scopes, belong to the same organization and are of one type. */
export function visibilityOf({ user }: Viewer): string {
  const visibility = known.get(user) ?? nameOf(user)
  known.set(user, visibility)
  return visibility
}

function nameOf({ roleAssignments, organizationId, userType }: Viewer['user']): string {
  const held = roleAssignments.map(({ role, scope }) => `${role} ${scope}`).sort()
  return hash('sha256', JSON.stringify([userType, organizationId, held]), 'base64url')
}
