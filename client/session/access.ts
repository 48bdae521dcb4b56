// What decides what somebody sees, to tell whether it has changed: roles, where they hold, and where the person belongs.
import type { User } from '#shared/entities.ts'

export function accessOf({ id, organizationId, userType, roleAssignments }: User): string {
  const held = roleAssignments.map(({ role, scope }) => `${role} ${scope}`).sort()
  return JSON.stringify([id, organizationId, userType, held])
}
