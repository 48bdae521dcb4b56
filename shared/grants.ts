// The rules for giving roles (.github/product.md#giving-roles): nobody may give a role above their own, a role that is not
// assignable at the scope, or a role at a scope where they lack the action. The gateway enforces the rules; the client offers
// only allowed roles. Every rule takes linear time, because the lists come from callers and upstreams.

import type { RoleAssignment } from './answers/portal.ts'
import { excerpt } from './excerpt.ts'
import {
  type Action,
  type AssignableLevel,
  type Assignment,
  assignableRoles,
  holdingAt,
  may,
  type Role,
  tierOf
} from './permissions.ts'
import { ancestors, parseScope } from './scopes.ts'

/** The body of `PATCH …/roleAssignments`, with known role names. */
export interface RoleChanges {
  create: Assignment[]
  update: RoleAssignment[]
  delete: string[]
}

/** Why the granter may not give the assignments; null if allowed. */
export function grantRefusal(
  granter: readonly Assignment[],
  grants: readonly Assignment[],
  level: AssignableLevel,
  action: Action
): string | null {
  const heldAt = holdingAt(granter)
  for (const { role, scope } of grants) {
    if (parseScope(scope) === null) return `"${excerpt(scope)}" is not a scope.`
    if (!assignableRoles(level, scope).includes(role))
      return `The role ${role} cannot be assigned at ${excerpt(scope)}.`
    const ownRoles = heldAt(scope)
    if (!may(ownRoles, action, scope)) return `You may not assign roles at ${excerpt(scope)}.`
    if (tierOf(role) < Math.min(...ownRoles.map(({ role }) => tierOf(role))))
      return `The role ${role} is above your own.`
  }
  return null
}

/** Whether an assignment is at a scope below another one, which would replace it. */
export function overlap(grants: readonly Assignment[]): boolean {
  const scopes = replacingScopes(grants)
  return grants.some(({ scope }) => ancestors(scope).some((outer) => scopes.has(outer)))
}

/** Scopes whose assignment replaces all assignments below. `custom` replaces none. */
function replacingScopes(grants: readonly Assignment[]): ReadonlySet<string> {
  return new Set(grants.filter(({ role }) => role !== 'custom').map(({ scope }) => scope))
}

/** Why the granter may not remove the assignments; null if allowed. */
export function removalRefusal(
  granter: readonly Assignment[],
  removed: readonly Assignment[],
  action: Action
): string | null {
  const heldAt = holdingAt(granter)
  const refused = removed.find(({ scope }) => !may(heldAt(scope), action, scope))
  return refused ? `You may not change roles at ${excerpt(refused.scope)}.` : null
}

/** Ids of current assignments that the changes replace, because they are below the scope of a new assignment. */
export function replacedBy(changes: RoleChanges, current: readonly RoleAssignment[]): string[] {
  const scopes = replacingScopes([...changes.create, ...changes.update])
  const changed = changedIds(changes)
  return current
    .filter(({ id, scope }) => !changed.has(id) && ancestors(scope).some((outer) => scopes.has(outer)))
    .map(({ id }) => id)
}

/** Ids of the current assignments that the changes name. */
function changedIds(changes: RoleChanges): ReadonlySet<string> {
  return new Set([...changes.delete, ...changes.update.map(({ id }) => id)])
}

/** The assignments after the changes. */
export function afterChanges(changes: RoleChanges, current: readonly RoleAssignment[]): Assignment[] {
  const changed = changedIds(changes)
  return [...current.filter(({ id }) => !changed.has(id)), ...changes.update, ...changes.create]
}

const ADMIN_ROLES: readonly Role[] = ['partner_admin', 'customer_admin']

/** The admin assignments that the changes remove. Each of their scopes must have another admin. */
export function adminsLost(changes: RoleChanges, current: readonly RoleAssignment[]): Assignment[] {
  const keyOf = ({ role, scope }: Assignment) => `${role} ${scope}`
  const remaining = new Set(afterChanges(changes, current).map(keyOf))
  return current.filter(
    (assignment) => ADMIN_ROLES.includes(assignment.role) && !remaining.has(keyOf(assignment))
  )
}
