// Edited access: the draft of the assignments, the assignments that it replaces, and the resulting change.
// shared/grants.ts decides which assignments may be granted.
import type { RoleAssignment } from '#shared/answers/portal.ts'
import { grantRefusal, type RoleChanges, replacedBy } from '#shared/grants.ts'
import { ROLE_CHANGES_MAX } from '#shared/limits.ts'
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

export const sameGrant = (grant: Assignment, other: Assignment) =>
  grant.role === other.role && grant.scope === other.scope

export function rolesAt(draft: Draft, scope: string): Role[] {
  return draft.filter((assignment) => assignment.scope === scope).map(({ role }) => role)
}

/** The highest level at a scope. API clients can assign several levels, the portal only one. */
export function modeAt(draft: Draft, scope: string): Mode {
  const modes = rolesAt(draft, scope).map(modeOf)
  return (['admin', 'standard', 'custom', 'noaccess'] as const).find((mode) => modes.includes(mode)) ?? 'none'
}

/** The granter's assignments, the level of the user or account, and the action that the grant requires. */
export interface Granting {
  granter: readonly Assignment[]
  level: AssignableLevel
  action: Action
  /** Numbers of the roles that the upstream has. Until they are loaded, all roles are offered. */
  numbers: RoleNumbers | undefined
}

/** The roles that may be granted at a scope. The gateway refuses all others. */
export function grantableRoles({ granter, level, action, numbers }: Granting, scope: string): Role[] {
  return assignableRoles(level, scope).filter(
    (role) => (numbers?.has(role) ?? true) && grantRefusal(granter, [{ role, scope }], level, action) === null
  )
}

/** Adds or removes a role at a scope. The roles of level `standard` combine; other roles exclude each other. */
export function withRole(draft: Draft, role: Role, scope: string, on: boolean): Assignment[] {
  const grant = { role, scope }
  const otherAssignments = draft.filter((assignment) => !sameGrant(assignment, grant))
  if (!on) return otherAssignments
  const combines = (assignment: Assignment) =>
    modeOf(role) === 'standard' && modeOf(assignment.role) === 'standard'
  return [
    ...otherAssignments.filter((assignment) => assignment.scope !== scope || combines(assignment)),
    grant
  ]
}

export function withRolesAt(draft: Draft, scope: string, roles: readonly Role[]): Assignment[] {
  return [
    ...draft.filter((assignment) => assignment.scope !== scope),
    ...roles.map((role) => ({ role, scope }))
  ]
}

/**
 * The resulting assignments: a new role replaces the roles at scopes within its own. Custom access replaces
 * no roles, because it consists of them.
 */
export function settled(current: readonly Assignment[], draft: Draft): Assignment[] {
  const newGrants = draft.filter(
    (assignment) => assignment.role !== 'custom' && !current.some((old) => sameGrant(old, assignment))
  )
  return draft.filter(
    ({ scope }) => !newGrants.some((broader) => broader.scope !== scope && covers(broader.scope, scope))
  )
}

/** The change from the current assignments to the draft: the body of `PATCH …/roleAssignments`. */
export function changesBetween(current: readonly RoleAssignment[], draft: Draft): RoleChanges {
  const finalDraft = settled(current, draft)
  const added = finalDraft.filter((assignment) => !current.some((old) => sameGrant(old, assignment)))
  const removed = current.filter((old) => !finalDraft.some((assignment) => sameGrant(old, assignment)))
  const changes: RoleChanges = { create: [], update: [], delete: [] }
  for (const old of removed) {
    const index = added.findIndex(({ scope }) => scope === old.scope)
    const [replacement] = index < 0 ? [] : added.splice(index, 1)
    if (replacement) changes.update.push({ id: old.id, ...replacement })
    else changes.delete.push(old.id)
  }
  changes.create.push(...added)
  return changes
}

/** Why custom access is incomplete; null for complete custom access and for other levels. */
export function customMissing(draft: Draft, scope: string): string | null {
  const hasNoRole =
    modeAt(draft, scope) === 'custom' && draft.every((assignment) => assignment.scope === scope)
  return hasNoRole ? 'Custom access needs a role at one customer at least' : null
}

function countOf({ create, update, delete: removed }: RoleChanges): number {
  return create.length + update.length + removed.length
}

export function isEmpty(changes: RoleChanges): boolean {
  return countOf(changes) === 0
}

/** Leaves the removals of replaced roles to the gateway, which adds them, if the changes are too many for one call. */
export function shortened(changes: RoleChanges, current: readonly RoleAssignment[]): RoleChanges {
  if (countOf(changes) <= ROLE_CHANGES_MAX) return changes
  const replacedIds = new Set(replacedBy({ ...changes, delete: [] }, current))
  return { ...changes, delete: changes.delete.filter((id) => !replacedIds.has(id)) }
}

/** Why the changes cannot be saved in one call; null if they can. */
export function limitRefusal(changes: RoleChanges): string | null {
  const count = countOf(changes)
  return count > ROLE_CHANGES_MAX
    ? `At most ${ROLE_CHANGES_MAX} changes can be saved at once, not ${count}`
    : null
}

/** Why an invitation or a new account cannot give the roles; null if it can. */
export function newRolesRefusal(draft: Draft): string | null {
  return draft.length > ROLE_CHANGES_MAX
    ? `At most ${ROLE_CHANGES_MAX} roles can be given at first, not ${draft.length}: give the others later`
    : null
}

function isReplaced({ scope }: Assignment, grants: readonly Assignment[]): boolean {
  return grants.some(
    (assignment) =>
      assignment.role !== 'custom' && assignment.scope !== scope && covers(assignment.scope, scope)
  )
}

export interface ChangeLine extends Assignment {
  sign: '+' | '−'
  replacedBy: Assignment | null
}

export function linesOf(changes: RoleChanges, current: readonly RoleAssignment[]): ChangeLine[] {
  const grants = [...changes.create, ...changes.update]
  const broader = (assignment: Assignment) => grants.find((other) => isReplaced(assignment, [other])) ?? null
  const removedIds = new Set([...changes.delete, ...changes.update.map(({ id }) => id)])
  const lines: ChangeLine[] = [
    ...current
      .filter(({ id }) => removedIds.has(id))
      .map(({ role, scope }) => ({
        sign: '−' as const,
        role,
        scope,
        replacedBy: broader({ role, scope })
      })),
    ...grants.map(({ role, scope }) => ({ sign: '+' as const, role, scope, replacedBy: null }))
  ]
  return lines.sort((a, b) => (a.scope < b.scope ? -1 : a.scope > b.scope ? 1 : 0))
}
