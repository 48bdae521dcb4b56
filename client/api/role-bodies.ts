import type { RoleChanges } from '#shared/grants.ts'
import type { Assignment } from '#shared/permissions.ts'
import type { RoleNumbers } from './roles.ts'

/** `{ role: '/roles/3', scope }`. Throws for a role that the upstream does not have; none such is offered. */
export function assignmentBody({ role, scope }: Assignment, numbers: RoleNumbers) {
  const number = numbers.get(role)
  if (number === undefined) throw new Error(`the upstream has no role ${role}`)
  return { role: `/roles/${number}`, scope }
}

/** The body of `PATCH …/roleAssignments` (§7). */
export function changesBody(changes: RoleChanges, numbers: RoleNumbers) {
  return {
    create: changes.create.map((one) => assignmentBody(one, numbers)),
    update: changes.update.map((one) => ({ id: one.id, ...assignmentBody(one, numbers) })),
    delete: changes.delete
  }
}
