// The list of roles, and reading and writing role assignments in bodies.
import { linkField, objectBody } from '../../api/body.ts'
import { halPage } from '../../api/hal.ts'
import { found, malformed } from '../../api/problems.ts'
import { MANAGEMENT, type Upstream } from '../../api/upstream.ts'
import type { RoleRecord } from '../../records/people.ts'
import { ROLES } from '../../records/roles.ts'
import type { State } from '../../state.ts'

export const roles: Upstream = (api) => {
  api.get(`${MANAGEMENT}/roles`, async (request) =>
    halPage(request, {
      rel: 'roles',
      items: ROLES,
      toBody: ({ number, name }) => ({
        roleNumber: number,
        name,
        _links: { self: { href: `/roles/${number}` } }
      })
    })
  )
}

export function roleBodies(assignments: RoleRecord[]): object[] {
  return assignments.map(({ id, scope, roleNumber, roleName }) => ({
    id,
    scope,
    roleName,
    _links: { role: { href: `/roles/${roleNumber}` } }
  }))
}

export function readRoles(state: State, list: unknown, field: string): RoleRecord[] {
  if (!Array.isArray(list)) throw malformed(`${field} must be a list`, field)
  return list.map((item) => ({ id: state.nextId('ra'), ...readRole(state, item, field) }))
}

function readRole(state: State, item: unknown, field: string): Omit<RoleRecord, 'id'> {
  if (typeof item !== 'object' || item === null) throw malformed(`${field} must list role assignments`, field)
  const body = item as Record<string, unknown>
  const number = linkField(body, 'role', 'roles')
  const role = ROLES.find((candidate) => String(candidate.number) === number)
  if (!role) throw malformed(`there is no role ${number}`, 'role')
  if (typeof body.scope !== 'string' || !scopeExists(state, body.scope))
    throw malformed('scope must be the path of organizations that exist', 'scope')
  return { scope: body.scope, roleNumber: role.number, roleName: role.name }
}

function scopeExists(state: State, scope: string): boolean {
  if (scope === '/') return true
  const [, partnerId, customerId] = scope.match(/^\/organizations\/([^/]+)(?:\/customers\/([^/]+))?$/) ?? []
  if (partnerId === undefined || state.organizations.get(partnerId)?.partnerId !== null) return false
  return customerId === undefined || state.organizations.get(customerId)?.partnerId === partnerId
}

export function rolesText(assignments: RoleRecord[]): string {
  return assignments.map(({ roleName, scope }) => `${roleName} at ${scope}`).join(', ')
}

/** Applies `{ create, update, delete }` without checking the caller's rights. */
export function changeRoles(state: State, assignments: RoleRecord[], body: unknown): RoleRecord[] {
  const { create = [], update = [], delete: remove = [] } = objectBody({ body })
  if (!Array.isArray(update) || !Array.isArray(remove)) throw malformed('update and delete must be lists')
  const removedIds = new Set(remove.map((id) => assignmentOf(assignments, id).id))
  const updatedRoles = new Map(
    update.map((item) => {
      const { id } = assignmentOf(assignments, (item as { id?: unknown } | null)?.id)
      return [id, { id, ...readRole(state, item, 'update') }] as const
    })
  )
  const rest = assignments
    .filter((assignment) => !removedIds.has(assignment.id))
    .map((assignment) => updatedRoles.get(assignment.id) ?? assignment)
  return [...rest, ...readRoles(state, create, 'create')]
}

function assignmentOf(assignments: RoleRecord[], id: unknown): RoleRecord {
  return found(
    assignments.find((assignment) => assignment.id === id),
    `role assignment ${id}`
  )
}
