import type { Page } from '#shared/answers/parts.ts'
import type { User } from '#shared/answers/people.ts'
import { calls } from '#shared/calls.ts'
import { allPages, halPage } from '../../../lib/http/hal.ts'
import { get, type QueryResult, useQuery } from '../../../lib/http/query.ts'
import { USER_PAGE_SIZE } from '../../../lib/limits.ts'
import { type WithRoles, withRoles } from './api.ts'

export type Person = WithRoles<User>

const personFrom = (record: User): Person => ({
  ...withRoles(record),
  fullName: record.fullName || record.email || record.id
})

const personPage = halPage('users', personFrom)

export interface UserQuery {
  keyword?: string
  roles?: readonly number[]
  userType?: string
  customerId?: string
  sort?: string
  order?: string
}

/** The path of the search for users of an organization; without an organization, for all users of the portal. */
function searchPath(organizationId: string | null, query: UserQuery): string {
  const { keyword = '', roles = [], userType, customerId, sort = 'fullName', order = 'asc' } = query
  const parameters = new URLSearchParams({ sort: `${sort},${order}` })
  if (keyword.trim()) parameters.set('keyword', keyword.trim())
  for (const role of roles) parameters.append('role', String(role))
  if (userType) parameters.set('userType', userType)
  if (customerId) parameters.set('customerId', customerId)
  if (organizationId !== null) return `${calls.organizationUsers(organizationId)}?${parameters}`
  return keyword.trim() ? `${calls.users}/search/findByKeyword?${parameters}` : `${calls.users}?${parameters}`
}

/** One page of users. Loads nothing if `organizationId` is undefined. */
export function useUsers(
  organizationId: string | null | undefined,
  query: UserQuery,
  page = 0
): QueryResult<Page<Person>> {
  const path = organizationId === undefined ? null : searchPath(organizationId, query)
  return useQuery(path && `${path}&page=${page}&size=${USER_PAGE_SIZE}`, personPage, {
    keepPreviousData: true
  })
}

export function useUser(userId: string): QueryResult<Person> {
  return useQuery(calls.user(userId), async (path, signal) => personFrom(await get<User>(path, signal)))
}

export function readUsers(
  organizationId: string | null,
  query: UserQuery,
  signal: AbortSignal
): Promise<Person[]> {
  return allPages(personPage)(searchPath(organizationId, query), signal)
}

/** The user with this e-mail address, ignoring letter case; null if there is no such user. */
export async function findUser(organizationId: string, email: string): Promise<Person | null> {
  const path = `${searchPath(organizationId, { keyword: email })}&size=20`
  const { items } = await personPage(path)
  return items.find((person) => person.email?.toLowerCase() === email.toLowerCase()) ?? null
}
