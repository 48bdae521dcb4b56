// Edited access: the wanted assignments, those that they replace, and the resulting change.
// shared/grants.ts decides which of them may be granted.
import type { RoleAssignment } from '#shared/entities.ts'
import { grantRefusal, type RoleChanges } from '#shared/grants.ts'
import {
  type Action,
  type AssignableLevel,
  type Assignment,
  assignableRoles,
  type Role
} from '#shared/permissions.ts'
import { covers } from '#shared/scopes.ts'
import type { RoleNumbers } from './api.ts'

export type Draft = readonly Assignment[]

export type Mode = 'none' | 'admin' | 'standard' | 'custom' | 'noaccess'

const MODES: Record<Role, Exclude<Mode, 'none'>> = {
  global_admin: 'admin',
  partner_admin: 'admin',
  customer_admin: 'admin',
  partner_user: 'standard',
  customer_user: 'standard',
  niagara_remote: 'standard',
  nds_operator: 'standard',
  custom: 'custom',
  noaccess: 'noaccess'
}

export function modeOf(role: Role): Exclude<Mode, 'none'> {
  return MODES[role]
}

export const sameGrant = (one: Assignment, other: Assignment) =>
  one.role === other.role && one.scope === other.scope

export function rolesAt(draft: Draft, scope: string): Role[] {
  return draft.filter((one) => one.scope === scope).map(({ role }) => role)
}

/** The highest level at a scope. Only other programs can assign several. */
export function modeAt(draft: Draft, scope: string): Mode {
  const modes = rolesAt(draft, scope).map(modeOf)
  return (['admin', 'standard', 'custom', 'noaccess'] as const).find((mode) => modes.includes(mode)) ?? 'none'
}

/** The granting person, the level of the user, and the action it needs. */
export interface Granting {
  granter: readonly Assignment[]
  level: AssignableLevel
  action: Action
  /** The roles of the upstream. Until they are loaded, all roles are offered. */
  numbers: RoleNumbers | undefined
}

/** The roles that may be granted at a scope. The gateway refuses all others. */
export function grantableRoles({ granter, level, action, numbers }: Granting, scope: string): Role[] {
  return assignableRoles(level, scope).filter(
    (role) => (numbers?.has(role) ?? true) && grantRefusal(granter, [{ role, scope }], level, action) === null
  )
}

/** Adds or removes a role at a scope. User, Remote and operator roles combine; other roles exclude each other. */
export function withRole(draft: Draft, role: Role, scope: string, on: boolean): Assignment[] {
  const given = { role, scope }
  const without = draft.filter((one) => !sameGrant(one, given))
  if (!on) return without
  const combines = (one: Assignment) => modeOf(role) === 'standard' && modeOf(one.role) === 'standard'
  return [...without.filter((one) => one.scope !== scope || combines(one)), given]
}

export function withRolesAt(draft: Draft, scope: string, roles: readonly Role[]): Assignment[] {
  return [...draft.filter((one) => one.scope !== scope), ...roles.map((role) => ({ role, scope }))]
}

/**
 * The resulting assignments: a new role replaces the roles below its scope. Custom access replaces none,
 * because it consists of them.
 */
export function settled(held: readonly Assignment[], wanted: Draft): Assignment[] {
  const given = wanted.filter((one) => one.role !== 'custom' && !held.some((old) => sameGrant(old, one)))
  return wanted.filter(
    ({ scope }) => !given.some((broader) => broader.scope !== scope && covers(broader.scope, scope))
  )
}

/** The change from the held to the wanted assignments: the body of `PATCH …/roleAssignments`. */
export function changesBetween(held: readonly RoleAssignment[], wanted: Draft): RoleChanges {
  const kept = settled(held, wanted)
  const added = kept.filter((one) => !held.some((old) => sameGrant(old, one)))
  const removed = held.filter((old) => !kept.some((one) => sameGrant(old, one)))
  const changes: RoleChanges = { create: [], update: [], delete: [] }
  for (const old of removed) {
    const at = added.findIndex(({ scope }) => scope === old.scope)
    const [instead] = at < 0 ? [] : added.splice(at, 1)
    if (instead) changes.update.push({ id: old.id, ...instead })
    else changes.delete.push(old.id)
  }
  changes.create.push(...added)
  return changes
}

/** Why custom access is incomplete; null if it is complete, and for other levels. */
export function customMissing(draft: Draft, scope: string): string | null {
  const isNowhere = modeAt(draft, scope) === 'custom' && draft.every((one) => one.scope === scope)
  return isNowhere ? 'Custom access needs a role at one customer at least' : null
}

export function isEmpty({ create, update, delete: removed }: RoleChanges): boolean {
  return create.length + update.length + removed.length === 0
}

function isReplaced({ scope }: Assignment, given: readonly Assignment[]): boolean {
  return given.some((one) => one.role !== 'custom' && one.scope !== scope && covers(one.scope, scope))
}

export interface ChangeLine extends Assignment {
  sign: '+' | '−'
  replacedBy: Assignment | null
}

export function linesOf(changes: RoleChanges, held: readonly RoleAssignment[]): ChangeLine[] {
  const given = [...changes.create, ...changes.update]
  const broader = (one: Assignment) => given.find((other) => isReplaced(one, [other])) ?? null
  const gone = new Set([...changes.delete, ...changes.update.map(({ id }) => id)])
  const lines: ChangeLine[] = [
    ...held
      .filter(({ id }) => gone.has(id))
      .map(({ role, scope }) => ({
        sign: '−' as const,
        role,
        scope,
        replacedBy: broader({ role, scope })
      })),
    ...given.map(({ role, scope }) => ({ sign: '+' as const, role, scope, replacedBy: null }))
  ]
  return lines.sort((a, b) => (a.scope < b.scope ? -1 : a.scope > b.scope ? 1 : 0))
}
