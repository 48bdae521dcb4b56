// Reads the bodies that hand out roles: `{ role: '/roles/3', scope }` becomes an assignment whose role is known. Their
// form was checked by the schema of the call; a role that the upstream does not have is refused here.
import type { RoleChanges } from '#shared/grants.ts'
import type { Assignment, Role } from '#shared/permissions.ts'
import { problems } from '../errors.ts'
import { linkedId } from './links.ts'

/** Roles by the number that ends their link. */
export type RolesByNumber = ReadonlyMap<string, Role>

/** More than any screen asks for; the rules of a grant look at each against each. */
export const CHANGES_MAX = 100

interface GivenAssignment {
  role: string
  scope: string
}

interface GivenChanges {
  create?: GivenAssignment[]
  update?: (GivenAssignment & { id: string })[]
  delete?: string[]
}

/** Throws a 400 problem when a role is unknown. */
export function readAssignments(given: unknown, roles: RolesByNumber): Assignment[] {
  return ((given ?? []) as GivenAssignment[]).map((one) => readAssignment(one, roles))
}

/** Throws a 400 problem when there are too many changes, when two are about one assignment, or a role is unknown. */
export function readChanges(given: unknown, roles: RolesByNumber): RoleChanges {
  const { create = [], update = [], delete: removed = [] } = given as GivenChanges
  if (create.length + update.length + removed.length > CHANGES_MAX)
    throw problems.badRequest(`At most ${CHANGES_MAX} changes are made in a call.`)
  const named = [...removed, ...update.map(({ id }) => id)]
  if (new Set(named).size < named.length)
    throw problems.badRequest('Each assignment is changed once in a call.')
  return {
    create: readAssignments(create, roles),
    update: update.map((one) => ({ id: one.id, ...readAssignment(one, roles) })),
    delete: removed
  }
}

function readAssignment({ role: link, scope }: GivenAssignment, roles: RolesByNumber): Assignment {
  const role = roles.get(linkedId('roles', link) ?? '')
  if (role === undefined)
    throw problems.badRequest('The body names an unknown role; a role is given as "/roles/3".')
  return { role, scope }
}
