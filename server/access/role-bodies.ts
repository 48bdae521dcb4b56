// Reads the bodies that hand out roles (§7): `{ role: '/roles/3', scope }` becomes an assignment whose role is known.
// What is malformed, or names a role that the upstream does not have, is refused: nothing unknown is passed on.
import type { RoleAssignment } from '#shared/entities.ts'
import type { RoleChanges } from '#shared/grants.ts'
import type { Assignment, Role } from '#shared/permissions.ts'
import { problems } from '../errors.ts'
import { id, raw } from '../upstreams/fields.ts'
import { linkedId } from './belongings.ts'

/** Roles by the number that ends their link. */
export type RolesByNumber = ReadonlyMap<string, Role>

export function readAssignment(value: unknown, roles: RolesByNumber): Assignment {
  const { role: link, scope } = raw(value)
  const role = roles.get(linkedId(link) ?? '')
  if (role === undefined)
    throw problems.badRequest('The body names an unknown role; a role is given as "/roles/3".')
  if (typeof scope !== 'string') throw problems.badRequest('A role assignment needs a scope.')
  return { role, scope }
}

export function readAssignments(value: unknown, roles: RolesByNumber): Assignment[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw problems.badRequest('Role assignments are given as a list.')
  return value.map((one) => readAssignment(one, roles))
}

export function readChanges(body: unknown, roles: RolesByNumber): RoleChanges {
  const { create, update, delete: removed = [] } = raw(body)
  if (!Array.isArray(removed)) throw problems.badRequest('delete is a list of assignment ids.')
  const changes: RoleChanges = {
    create: readAssignments(create, roles),
    update: listOf(update).map(
      (one): RoleAssignment => ({ id: idOf(raw(one).id), ...readAssignment(one, roles) })
    ),
    delete: removed.map(idOf)
  }
  const named = [...changes.delete, ...changes.update.map((one) => one.id)]
  if (new Set(named).size < named.length)
    throw problems.badRequest('Each assignment is changed once in a call.')
  return changes
}

function listOf(value: unknown): unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw problems.badRequest('update is a list of assignments.')
  return value
}

function idOf(value: unknown): string {
  const known = id(value)
  if (known === null) throw problems.badRequest('An assignment is named by its id.')
  return known
}
