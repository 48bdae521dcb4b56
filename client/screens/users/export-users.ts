import { readUsers } from '../../api/user-access.ts'
import type { Person, UserQuery } from '../../api/users.ts'
import { csvOf, fileName, saveFile } from '../../lib/csv.ts'
import { roleLabel, type ScopeNames } from '../../lib/role-text.ts'
import { typeLabel } from './user-query.ts'

/** All users that the filters let through, as a file. */
export async function exportUsers(
  organizationId: string | null,
  query: UserQuery,
  nameOf: ScopeNames,
  nowMs: number
): Promise<void> {
  const people = await readUsers(organizationId, query)
  const roles = ({ roleAssignments, unknownRoles }: Person) =>
    [
      ...roleAssignments.map(({ role, scope }) => `${roleLabel(role)} at ${nameOf(scope)}`),
      ...unknownRoles.map(({ name, scope }) => `${name} at ${nameOf(scope)}`)
    ].join('; ')
  const text = csvOf(
    [
      { header: 'Name', value: ({ fullName }) => fullName },
      { header: 'E-mail', value: ({ email }) => email },
      { header: 'Organization', value: ({ organizationName }) => organizationName },
      { header: 'Type', value: ({ userType }) => typeLabel(userType) },
      { header: 'Roles', value: roles },
      { header: 'Last active', value: ({ lastActive }) => lastActive }
    ],
    people
  )
  saveFile(fileName(['users', new Date(nowMs).toISOString().slice(0, 10)], 'csv'), text)
}
