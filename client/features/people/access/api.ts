import type { RoleAssignment as UpstreamAssignment, Role as UpstreamRole } from '#shared/answers/people.ts'
import type { RoleAssignment } from '#shared/answers/portal.ts'
import { calls } from '#shared/calls.ts'
import type { RoleChanges } from '#shared/grants.ts'
import { type Assignment, ROLES, type Role, recognizeRole } from '#shared/permissions.ts'
import { parseScope } from '#shared/scopes.ts'
import { halPage, itself } from '../../../lib/http/hal.ts'
import { type QueryResult, useQuery } from '../../../lib/http/query.ts'

export type RoleNumbers = ReadonlyMap<Role, number>

/** The number of each upstream role that the portal knows. */
export function useRoleNumbers(): QueryResult<RoleNumbers> {
  return useQuery(`${calls.roles}?size=100`, readNumbers)
}

async function readNumbers(path: string, signal: AbortSignal): Promise<RoleNumbers> {
  const { items } = await halPage('roles', itself<UpstreamRole>)(path, signal)
  return new Map(
    items.flatMap(({ roleNumber, name }): [Role, number][] => {
      const role = recognizeRole(name)
      return role === null ? [] : [[role, roleNumber]]
    })
  )
}

/** A role that the portal does not know. It allows nothing and cannot be changed in the portal. */
interface UnknownRole {
  id: string
  scope: string
  name: string
}

export interface DividedRoles {
  roleAssignments: RoleAssignment[]
  unknownRoles: UnknownRole[]
}

/** An upstream record with its roles divided into known and unknown roles. */
export type WithRoles<Upstream> = Omit<Upstream, 'roleAssignments'> & DividedRoles

export const withRoles = <Upstream extends { roleAssignments: UpstreamAssignment[] }>(
  record: Upstream
): WithRoles<Upstream> => ({ ...record, ...divideRoles(record.roleAssignments) })

/** Recognizes a role by its name, else by the number at the end of its link. */
function divideRoles(bodies: readonly UpstreamAssignment[] = []): DividedRoles {
  const divided: DividedRoles = { roleAssignments: [], unknownRoles: [] }
  for (const { id, scope, roleName, _links } of bodies) {
    const number = (_links?.role?.href ?? '').split('/').at(-1)
    const role =
      recognizeRole(roleName ?? '') ?? ROLES.find((known) => String(known.number) === number)?.name ?? null
    if (role !== null && parseScope(scope) !== null) divided.roleAssignments.push({ id, role, scope })
    else divided.unknownRoles.push({ id, scope, name: roleName || `Role ${number || '?'}` })
  }
  return divided
}

/** Returns `{ role: '/roles/3', scope }`. Throws for a role that the upstream does not have. */
export function assignmentBody({ role, scope }: Assignment, numbers: RoleNumbers) {
  const number = numbers.get(role)
  if (number === undefined) throw new Error(`the upstream has no role ${role}`)
  return { role: `/roles/${number}`, scope }
}

export function changesBody(changes: RoleChanges, numbers: RoleNumbers) {
  return {
    create: changes.create.map((assignment) => assignmentBody(assignment, numbers)),
    update: changes.update.map((assignment) => ({
      id: assignment.id,
      ...assignmentBody(assignment, numbers)
    })),
    delete: changes.delete
  }
}
