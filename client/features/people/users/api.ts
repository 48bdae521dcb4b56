import { calls } from '#shared/calls.ts'
import type { RoleChanges } from '#shared/grants.ts'
import type { Assignment, Role } from '#shared/permissions.ts'
import { parseScope } from '#shared/scopes.ts'
import { type QueryResult, useQuery } from '../../../lib/http/query.ts'
import { request } from '../../../lib/http/request.ts'
import { changesBody, type RoleNumbers } from '../access/api.ts'
import { type Person, readUsers } from '../access/users.ts'

const ADMINS: readonly Role[] = ['partner_admin', 'customer_admin']

/** The person's admin assignments that no other user has. The gateway refuses to remove them. */
export function useSoleAdminPositions(
  person: Person | null | undefined,
  numbers: RoleNumbers | undefined
): QueryResult<Assignment[]> {
  const positions = (person?.roleAssignments ?? []).filter(({ role }) => ADMINS.includes(role))
  const key = positions.map(({ role, scope }) => `${role}@${scope}`).join(' ')
  const path = person && numbers && key ? `admins but ${person.id}: ${key}` : null
  const isSoleAdmin = async ({ role, scope }: Assignment, signal: AbortSignal) => {
    const { organizationId = '', customerId } = parseScope(scope) ?? {}
    const number = numbers?.get(role)
    const query = { roles: number === undefined ? [] : [number] }
    const admins = await readUsers(customerId ?? organizationId, query, signal)
    return !admins.some(
      ({ id, roleAssignments }) =>
        id !== person?.id && roleAssignments.some((grant) => grant.role === role && grant.scope === scope)
    )
  }
  return useQuery(
    path,
    async (_path, signal) => {
      const isSole = await Promise.all(positions.map((position) => isSoleAdmin(position, signal)))
      return positions.filter((_, index) => isSole[index])
    },
    { keepPreviousData: true }
  )
}

export async function changeUserRoles(
  userId: string,
  changes: RoleChanges,
  numbers: RoleNumbers
): Promise<void> {
  await request(calls.userRoles(userId), {
    method: 'PATCH',
    body: changesBody(changes, numbers)
  })
}

export const PATHS_OF_USERS = [calls.users, calls.managedOrganizations]
