import { useMemo } from 'react'
import type { Page } from '#shared/answers/parts.ts'
import type { User } from '#shared/answers/people.ts'
import { calls } from '#shared/calls.ts'
import { type HalAnswer, pageFrom, readAll } from '../../../lib/http/hal.ts'
import { type Load, useLoad } from '../../../lib/http/query.ts'
import { request } from '../../../lib/http/request.ts'
import { USER_PAGE_SIZE } from '../../../lib/limits.ts'
import { type WithRoles, withRoles } from './api.ts'

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
  return items.find((person) => person.email?.toLowerCase() === email.toLowerCase()) ?? null
}
