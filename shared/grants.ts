// Who may give which role where (§6): nobody gives above their own, outside the assignable levels, or out of their
// reach. The gateway refuses by it, the client offers by it. What a person holds now, and who else is an admin, is
// fetched elsewhere.

import type { RoleAssignment } from './entities.ts'
import {
  type Action,
  type AssignableLevel,
  type Assignment,
  assignableRoles,
  may,
  type Role,
  tierOf
} from './permissions.ts'
import { covers, narrowerScopes, parseScope } from './scopes.ts'

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
  for (const { role, scope } of grants) {
    if (parseScope(scope) === null) return `"${scope}" is no scope.`
    if (!assignableRoles(level, scope).includes(role))
      return `The role ${role} cannot be assigned at ${scope}.`
    if (!may(granter, action, scope)) return `You may not assign roles at ${scope}.`
    const own = granter.filter((held) => covers(held.scope, scope)).map((held) => tierOf(held.role))
    if (tierOf(role) < Math.min(...own)) return `The role ${role} is above your own.`
  }
  return null
}

/** Whether one of the assignments lies within another of them, which would replace it (§6). */
export function overlap(grants: readonly Assignment[]): boolean {
  return grants.some(
    ({ role, scope }) =>
      role !== 'custom' && grants.some((other) => other.scope !== scope && covers(scope, other.scope))
  )
}

/** Why the assignments may not be taken away; null when they may. */
export function removalRefusal(
  granter: readonly Assignment[],
  removed: readonly Assignment[],
  action: Action
): string | null {
  const outside = removed.find(({ scope }) => !may(granter, action, scope))
  return outside ? `You may not change roles at ${outside.scope}.` : null
}

/** Ids of held assignments that the changes replace: those at narrower scopes (§6), but for custom access, which is made of them. */
export function replacedBy(changes: RoleChanges, held: readonly RoleAssignment[]): string[] {
  const given = [...changes.create, ...changes.update].filter(({ role }) => role !== 'custom')
  const touched = new Set([...changes.delete, ...changes.update.map(({ id }) => id)])
  const narrower = new Set(
    given.flatMap(({ scope }) =>
      narrowerScopes(
        scope,
        held.map((one) => one.scope)
      )
    )
  )
  return held.filter(({ id, scope }) => narrower.has(scope) && !touched.has(id)).map(({ id }) => id)
}

/** What is held after the changes. */
export function afterChanges(changes: RoleChanges, held: readonly RoleAssignment[]): Assignment[] {
  const gone = new Set([...changes.delete, ...changes.update.map(({ id }) => id)])
  return [...held.filter(({ id }) => !gone.has(id)), ...changes.update, ...changes.create]
}

const ADMIN_ROLES: readonly Role[] = ['partner_admin', 'customer_admin']

/** The admin positions that the changes give up: each must have another admin. */
export function adminsLost(changes: RoleChanges, held: readonly RoleAssignment[]): Assignment[] {
  const after = afterChanges(changes, held)
  return held.filter(
    ({ role, scope }) =>
      ADMIN_ROLES.includes(role) && !after.some((kept) => kept.role === role && kept.scope === scope)
  )
}
