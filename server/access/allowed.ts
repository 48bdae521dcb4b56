// Whether a caller may do an action at a scope.
import { type Action, may } from '#shared/permissions.ts'
import type { Caller, ScopeFinder } from '../types.ts'

/** @param finder how the scope was found: some finders also admit callers without the action */
export function isAllowed({ user }: Caller, action: Action, finder: ScopeFinder, scope: string): boolean {
  const { roleAssignments, organizationId } = user
  if (finder === 'anywhere') return true
  if (may(roleAssignments, action, scope)) return true
  return finder === 'own-organization' && organizationId !== null && scope.endsWith(`/${organizationId}`)
}
