import type { Page, User, UserType } from '#shared/entities.ts'
import { USER_PAGE_SIZE } from '#shared/limits.ts'
import { type Held, heldFrom, type UpstreamAssignment } from './roles.ts'
import { type HalAnswer, pageFrom } from './upstream-list.ts'
import { type Load, useLoad } from './use-load.ts'

const BASE = '/api/v2/management'

/** A user as lists and pages of users have them (§3, A-5). */
export interface Person extends User, Held {
  disabled: boolean
  /** ISO 8601; null for never, undefined where the upstream does not tell. */
  lastActive: string | null | undefined
}

interface UpstreamUser {
  id: string
  organizationId?: string | null
  organizationName?: string | null
  fullName?: string | null
  email?: string | null
  userType?: string
  status?: string
  lastActiveDate?: string | null
  roleAssignments?: UpstreamAssignment[]
}

const TYPES: readonly UserType[] = ['PARTNER', 'CUSTOMER', 'INTERNAL', 'UNASSIGNED']

export function personFrom(body: UpstreamUser): Person {
  return {
    id: body.id,
    organizationId: body.organizationId ?? null,
    organizationName: body.organizationName ?? null,
    fullName: body.fullName || body.email || body.id,
    email: body.email ?? null,
    userType: TYPES.find((type) => type === body.userType) ?? 'UNASSIGNED',
    disabled: body.status === 'DISABLED',
    lastActive: body.lastActiveDate,
    ...heldFrom(body.roleAssignments)
  }
}

export interface UserQuery {
  keyword: string
  /** Role numbers. */
  roles: readonly number[]
  userType: string
  customerId: string
  sort: string
  order: string
}

/** Below it everything about the users of an organization is read; null stands for all users of the portal. */
export function usersPath(organizationId: string | null): string {
  return organizationId === null
    ? `${BASE}/users`
    : `${BASE}/organizations/${encodeURIComponent(organizationId)}/allUsers`
}

export function searchPath(organizationId: string | null, { keyword, roles, ...rest }: UserQuery): string {
  const query = new URLSearchParams({ sort: `${rest.sort},${rest.order}` })
  if (keyword.trim()) query.set('keyword', keyword.trim())
  for (const role of roles) query.append('role', String(role))
  if (rest.userType) query.set('userType', rest.userType)
  if (rest.customerId) query.set('customerId', rest.customerId)
  const base = usersPath(organizationId)
  return `${organizationId === null && keyword.trim() ? `${base}/search/findByKeyword` : base}?${query}`
}

/** One page of users; while another loads, the one before stays. `undefined` loads nothing. */
export function useUsers(
  organizationId: string | null | undefined,
  query: UserQuery,
  page: number
): Load<Page<Person>> {
  const path = organizationId === undefined ? null : searchPath(organizationId, query)
  const { data, ...load } = useLoad<HalAnswer>(path && `${path}&page=${page}&size=${USER_PAGE_SIZE}`, {
    keepPreviousData: true
  })
  return { ...load, data: data && pageFrom(data, 'users', personFrom) }
}

export const userPath = (userId: string) => `${BASE}/users/${encodeURIComponent(userId)}`

export function useUser(userId: string): Load<Person> {
  const { data, ...load } = useLoad<UpstreamUser>(userPath(userId))
  return { ...load, data: data && personFrom(data) }
}
