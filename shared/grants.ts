// The rules for giving roles (.github/product.md#giving-roles): nobody may give a role above their own, outside the assignable
// levels, or at a scope where they lack the action. The gateway enforces them; the client offers only allowed roles. Every rule
// takes linear time, because the lists come from callers and upstreams.

import type { RoleAssignment } from './entities.ts'
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

/** The body of `PATCH …/roleAssignments`, with roles recognised. */
export interface RoleChanges {
  create: Assignment[]
  update: RoleAssignment[]
  delete: string[]
}

/** The reason to refuse giving the assignments; null if allowed. */
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
    const own = heldAt(scope)
    if (!may(own, action, scope)) return `You may not assign roles at ${excerpt(scope)}.`
    if (tierOf(role) < Math.min(...own.map((held) => tierOf(held.role))))
      return `The role ${role} is above your own.`
  }
  return null
}

/** Whether an assignment lies below another one, which would replace it. */
export function overlap(grants: readonly Assignment[]): boolean {
  const replacing = replacingScopes(grants)
  return grants.some(({ scope }) => ancestors(scope).some((above) => replacing.has(above)))
}

/** Scopes whose assignment replaces those below; `custom` keeps them. */
function replacingScopes(grants: readonly Assignment[]): ReadonlySet<string> {
  return new Set(grants.filter(({ role }) => role !== 'custom').map(({ scope }) => scope))
}

/** The reason to refuse removing the assignments; null if allowed. */
export function removalRefusal(
  granter: readonly Assignment[],
  removed: readonly Assignment[],
  action: Action
): string | null {
  const heldAt = holdingAt(granter)
  const outside = removed.find(({ scope }) => !may(heldAt(scope), action, scope))
  return outside ? `You may not change roles at ${excerpt(outside.scope)}.` : null
}

/** Ids of held assignments that the changes replace: those below a given scope. */
export function replacedBy(changes: RoleChanges, held: readonly RoleAssignment[]): string[] {
  const replacing = replacingScopes([...changes.create, ...changes.update])
  const touched = changedIds(changes)
  return held
    .filter(({ id, scope }) => !touched.has(id) && ancestors(scope).some((above) => replacing.has(above)))
    .map(({ id }) => id)
}

/** Ids of the held assignments that the changes name. */
function changedIds(changes: RoleChanges): ReadonlySet<string> {
  return new Set([...changes.delete, ...changes.update.map(({ id }) => id)])
}

/** The assignments after the changes. */
export function afterChanges(changes: RoleChanges, held: readonly RoleAssignment[]): Assignment[] {
  const gone = changedIds(changes)
  return [...held.filter(({ id }) => !gone.has(id)), ...changes.update, ...changes.create]
}

const ADMIN_ROLES: readonly Role[] = ['partner_admin', 'customer_admin']

/** The admin assignments that the changes remove; each scope needs another admin. */
export function adminsLost(changes: RoleChanges, held: readonly RoleAssignment[]): Assignment[] {
  const position = ({ role, scope }: Assignment) => `${role} ${scope}`
  const kept = new Set(afterChanges(changes, held).map(position))
  return held.filter((one) => ADMIN_ROLES.includes(one.role) && !kept.has(position(one)))
}
