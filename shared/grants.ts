// Who may give which role where (.github/product.md#giving-roles): nobody gives a role above their own, outside the
// assignable levels, or out of their reach. The gateway refuses by it, the client offers by it. What a person holds now, and who else is an admin, is
// fetched elsewhere. Every rule takes linear time, because the lists come from callers and upstreams.

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

/** Why the assignments may not be given; null when they may. */
export function grantRefusal(
  granter: readonly Assignment[],
  grants: readonly Assignment[],
  level: AssignableLevel,
  action: Action
): string | null {
  const heldAt = holdingAt(granter)
  for (const { role, scope } of grants) {
    if (parseScope(scope) === null) return `"${excerpt(scope)}" is no scope.`
    if (!assignableRoles(level, scope).includes(role))
      return `The role ${role} cannot be assigned at ${excerpt(scope)}.`
    const own = heldAt(scope)
    if (!may(own, action, scope)) return `You may not assign roles at ${excerpt(scope)}.`
    if (tierOf(role) < Math.min(...own.map((held) => tierOf(held.role))))
      return `The role ${role} is above your own.`
  }
  return null
}

/** Whether one of the assignments lies within another of them, which would replace it. */
export function overlap(grants: readonly Assignment[]): boolean {
  const replacing = replacingScopes(grants)
  return grants.some(({ scope }) => ancestors(scope).some((above) => replacing.has(above)))
}

/** Where an assignment replaces those at narrower scopes; custom access is made of them. */
function replacingScopes(grants: readonly Assignment[]): ReadonlySet<string> {
  return new Set(grants.filter(({ role }) => role !== 'custom').map(({ scope }) => scope))
}

/** Why the assignments may not be taken away; null when they may. */
export function removalRefusal(
  granter: readonly Assignment[],
  removed: readonly Assignment[],
  action: Action
): string | null {
  const heldAt = holdingAt(granter)
  const outside = removed.find(({ scope }) => !may(heldAt(scope), action, scope))
  return outside ? `You may not change roles at ${excerpt(outside.scope)}.` : null
}

/** Ids of held assignments that the changes replace: those at narrower scopes than a given one. */
export function replacedBy(changes: RoleChanges, held: readonly RoleAssignment[]): string[] {
  const replacing = replacingScopes([...changes.create, ...changes.update])
  const touched = changedIds(changes)
  return held
    .filter(({ id, scope }) => !touched.has(id) && ancestors(scope).some((above) => replacing.has(above)))
    .map(({ id }) => id)
}

/** The held assignments that the changes name. */
function changedIds(changes: RoleChanges): ReadonlySet<string> {
  return new Set([...changes.delete, ...changes.update.map(({ id }) => id)])
}

/** What is held after the changes. */
export function afterChanges(changes: RoleChanges, held: readonly RoleAssignment[]): Assignment[] {
  const gone = changedIds(changes)
  return [...held.filter(({ id }) => !gone.has(id)), ...changes.update, ...changes.create]
}

const ADMIN_ROLES: readonly Role[] = ['partner_admin', 'customer_admin']

/** The admin positions that the changes give up: each must have another admin. */
export function adminsLost(changes: RoleChanges, held: readonly RoleAssignment[]): Assignment[] {
  const position = ({ role, scope }: Assignment) => `${role} ${scope}`
  const kept = new Set(afterChanges(changes, held).map(position))
  return held.filter((one) => ADMIN_ROLES.includes(one.role) && !kept.has(position(one)))
}
