import { useMemo } from 'react'
import type { User } from '#shared/answers/people.ts'
import { calls } from '#shared/calls.ts'
import type { Page } from '#shared/entities.ts'
import type { RoleChanges } from '#shared/grants.ts'
import { USER_PAGE_SIZE } from '#shared/limits.ts'
import type { Assignment, Role } from '#shared/permissions.ts'
import { parseScope } from '#shared/scopes.ts'
import { type HalAnswer, pageFrom, readAll } from '../../../lib/http/hal.ts'
import { type Load, useLoad, useQuery } from '../../../lib/http/query.ts'
import { request } from '../../../lib/http/request.ts'
import { changesBody, type RoleNumbers, type WithRoles, withRoles } from '../access/api.ts'

export type Person = WithRoles<User>

const personFrom = (record: User): Person => ({
  ...withRoles(record),
  fullName: record.fullName || record.email || record.id
})

export interface UserQuery {
  keyword?: string
  roles?: readonly number[]
  userType?: string
  customerId?: string
  sort?: string
  order?: string
}

/** The path of an organization's users; null for all users of the portal. */
function usersPath(organizationId: string | null): string {
  return organizationId === null ? calls.users : calls.organizationUsers(organizationId)
}

function searchPath(organizationId: string | null, filter: UserQuery): string {
  const { keyword = '', roles = [], userType, customerId, sort = 'fullName', order = 'asc' } = filter
  const query = new URLSearchParams({ sort: `${sort},${order}` })
  if (keyword.trim()) query.set('keyword', keyword.trim())
  for (const role of roles) query.append('role', String(role))
  if (userType) query.set('userType', userType)
  if (customerId) query.set('customerId', customerId)
  const base = usersPath(organizationId)
  return `${organizationId === null && keyword.trim() ? `${base}/search/findByKeyword` : base}?${query}`
}

/** One page of users. Loads nothing if `organizationId` is undefined. */
export function useUsers(
  organizationId: string | null | undefined,
  query: UserQuery,
  page = 0
): Load<Page<Person>> {
  const path = organizationId === undefined ? null : searchPath(organizationId, query)
  const { data, ...load } = useLoad<HalAnswer<User>>(path && `${path}&page=${page}&size=${USER_PAGE_SIZE}`, {
    keepPreviousData: true
  })
  const people = useMemo(() => data && pageFrom(data, 'users', personFrom), [data])
  return { ...load, data: people }
}

export function useUser(userId: string): Load<Person> {
  const { data, ...load } = useLoad<User>(calls.user(userId))
  return { ...load, data: data && personFrom(data) }
}

export function readUsers(
  organizationId: string | null,
  query: UserQuery,
  signal: AbortSignal
): Promise<Person[]> {
  return readAll(searchPath(organizationId, query), 'users', personFrom, signal)
}

/** The user with this e-mail address, ignoring letter case; null if there is no such user. */
export async function findUser(organizationId: string, email: string): Promise<Person | null> {
  const path = `${searchPath(organizationId, { keyword: email })}&size=20`
  const { items } = pageFrom(await request<HalAnswer<User>>(path), 'users', personFrom)
  return items.find((one) => one.email?.toLowerCase() === email.toLowerCase()) ?? null
}

const ADMINS: readonly Role[] = ['partner_admin', 'customer_admin']

/** The person's admin assignments that no other user has. The gateway refuses to remove them. */
export function useSoleAdminPositions(
  person: Person | null | undefined,
  numbers: RoleNumbers | undefined
): Load<Assignment[]> {
  const positions = (person?.roleAssignments ?? []).filter(({ role }) => ADMINS.includes(role))
  const key = positions.map(({ role, scope }) => `${role}@${scope}`).join(' ')
  const path = person && numbers && key ? `admins but ${person.id}: ${key}` : null
  const isSoleAdmin = async ({ role, scope }: Assignment, signal: AbortSignal) => {
    const { organizationId = '', customerId } = parseScope(scope) ?? {}
    const list = `${usersPath(customerId ?? organizationId)}?role=${numbers?.get(role)}`
    const admins = await readAll(list, 'users', personFrom, signal)
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
