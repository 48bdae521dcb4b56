// Finding users, and changing what they may: nothing that a list of them needs.
import type { RoleChanges } from '#shared/grants.ts'
import type { Assignment, Role } from '#shared/permissions.ts'
import { parseScope } from '#shared/scopes.ts'
import { request } from './request.ts'
import { changesBody } from './role-bodies.ts'
import type { RoleNumbers } from './roles.ts'
import { type HalAnswer, pageFrom, readAll } from './upstream-list.ts'
import type { Load } from './use-load.ts'
import { useWholeList } from './use-whole-list.ts'
import { type Person, personFrom, searchPath, type UserQuery, userPath, usersPath } from './users.ts'

/** All users that a filter lets through, for a file. */
export function readUsers(organizationId: string | null, query: UserQuery): Promise<Person[]> {
  return readAll(searchPath(organizationId, query), 'users', personFrom)
}

/** The user of an address, in any letter case; null when there is none in the organization. */
export async function findUser(organizationId: string, email: string): Promise<Person | null> {
  const query = new URLSearchParams({ keyword: email, size: '20' })
  const answer = await request<HalAnswer>(`${usersPath(organizationId)}?${query}`)
  const { items } = pageFrom(answer, 'users', personFrom)
  return items.find((one) => one.email?.toLowerCase() === email.toLowerCase()) ?? null
}

/** A few users whose name or address holds the keyword. */
export async function searchUsers(organizationId: string, keyword: string): Promise<Person[]> {
  const query = new URLSearchParams({ keyword, size: '8', sort: 'fullName,asc' })
  return pageFrom(await request<HalAnswer>(`${usersPath(organizationId)}?${query}`), 'users', personFrom)
    .items
}

const ADMINS: readonly Role[] = ['partner_admin', 'customer_admin']

/** The admin positions that nobody but this user holds: the gateway lets none of them go. Null asks nothing. */
export function useLonelyPositions(
  person: Person | null | undefined,
  numbers: RoleNumbers | undefined
): Load<Assignment[]> {
  const positions = (person?.roleAssignments ?? []).filter(({ role }) => ADMINS.includes(role))
  const key = positions.map(({ role, scope }) => `${role}@${scope}`).join(' ')
  const path = person && numbers && key ? `admins but ${person.id}: ${key}` : null
  return useWholeList<Assignment>(path, async (_path, signal) => {
    const lonely = await Promise.all(
      positions.map(async (position) => {
        const { organizationId = '', customerId } = parseScope(position.scope) ?? {}
        const number = numbers?.get(position.role)
        const list = `${usersPath(customerId ?? organizationId)}?role=${number}`
        const admins = await readAll(list, 'users', personFrom, signal)
        const others = admins.some(
          ({ id, roleAssignments }) =>
            id !== person?.id &&
            roleAssignments.some(({ role, scope }) => role === position.role && scope === position.scope)
        )
        return others ? [] : [position]
      })
    )
    return lonely.flat()
  })
}

export async function changeUserRoles(
  userId: string,
  changes: RoleChanges,
  numbers: RoleNumbers
): Promise<void> {
  await request(`${userPath(userId)}/roleAssignments`, {
    method: 'PATCH',
    body: changesBody(changes, numbers)
  })
}

/** What is read again after somebody's roles have changed. */
export const PATHS_OF_USERS = ['/api/v2/management/users', '/api/v2/management/organizations/']
