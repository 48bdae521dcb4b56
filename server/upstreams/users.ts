// Calls of `/api/v2/management`: fetches users and roles.
import { USER_TYPES } from '#shared/answers/people.ts'
import type { RoleAssignment, User } from '#shared/answers/portal.ts'
import { ROLES, type Role, recognizeRole } from '#shared/permissions.ts'
import { parseScope } from '#shared/scopes.ts'
import { problems } from '../errors.ts'
import type { CallerUser } from '../types.ts'
import type { Bearer, UpstreamClient } from './client.ts'
import { id, name, raw, text } from './fields.ts'
import { fetchAll } from './hal.ts'
import { readVisibility } from './visibility.ts'

/** The only status with which an account may sign in. */
const ACTIVE = 'ACTIVE'
const BASE = '/api/v2/management'
/** A page of users with up to 20 KB and 500 values each, as for 60 assignments, stays within ANSWER_LIMITS (client.ts). */
const PAGE_SIZE = 100

/** Fetches the user of the token. Throws a 502 problem if the answer is not a user, or 401 if the account is not active. */
export async function fetchMyUser(
  client: UpstreamClient,
  bearer: Bearer,
  signal?: AbortSignal
): Promise<CallerUser> {
  const body = await client.get('MANAGEMENT', `${BASE}/myUser`, bearer, signal)
  const { status = ACTIVE } = raw(body)
  if (status !== ACTIVE) throw problems.accountRefused()
  return toCallerUser(body)
}

/** Maps an upstream user and adds the visibility. Throws a 502 problem if the body is not a user. */
export function toCallerUser(body: unknown): CallerUser {
  return { ...toUser(body), visibility: readVisibility(body) }
}

/** Fetches a user by id. Throws a 404 problem if the user does not exist, or 502 if the answer has another id. */
export async function fetchUser(client: UpstreamClient, userId: string, bearer: Bearer): Promise<User> {
  const user = toUser(await client.get('MANAGEMENT', `${BASE}/users/${encodeURIComponent(userId)}`, bearer))
  if (user.id !== userId) throw problems.upstreamGarbled()
  return user
}

/** Fetches all users of an organization and of its customers. */
export async function fetchUsersOf(
  client: UpstreamClient,
  organizationId: string,
  bearer: Bearer
): Promise<User[]> {
  const path = `${BASE}/organizations/${encodeURIComponent(organizationId)}/allUsers`
  return fetchAll(client, { api: 'MANAGEMENT', path, rel: 'users', size: PAGE_SIZE, read: toUser }, bearer)
}

/** Fetches the roles, by the number at the end of their link. Leaves out roles with an unknown name. */
export async function fetchRoles(client: UpstreamClient, bearer: Bearer): Promise<ReadonlyMap<string, Role>> {
  const list = { api: 'MANAGEMENT', path: `${BASE}/roles`, rel: 'roles', size: PAGE_SIZE, read: raw } as const
  const roles = await fetchAll(client, list, bearer)
  return new Map(
    roles.flatMap((role): [string, Role][] => {
      const name = recognizeRole(text(role.name))
      const number = id(role.roleNumber)
      return name !== null && number !== null ? [[number, name]] : []
    })
  )
}

/** Maps the assignments of a user or service account. */
export function toAssignments(body: unknown): RoleAssignment[] {
  return (Array.isArray(body) ? body : []).flatMap(toAssignment)
}

/** Maps an upstream user. Drops assignments with an unknown role or a malformed scope, because they allow nothing. */
export function toUser(body: unknown): User {
  const user = raw(body)
  const userId = id(user.id)
  if (userId === null) throw problems.upstreamGarbled()
  return {
    id: userId,
    organizationId: id(user.organizationId),
    organizationName: name(user.organizationName) || null,
    fullName: name(user.fullName),
    email: name(user.email) || null,
    userType: USER_TYPES.find((type) => type === user.userType) ?? 'UNASSIGNED',
    roleAssignments: toAssignments(user.roleAssignments)
  }
}

function toAssignment(body: unknown): RoleAssignment[] {
  const assignment = raw(body)
  const scope = text(assignment.scope)
  const role = roleOf(assignment)
  return role !== null && parseScope(scope) !== null ? [{ id: id(assignment.id) ?? '', role, scope }] : []
}

/** Finds the role by a known name in the role name, else by the number at the end of the role link. */
function roleOf(assignment: Record<string, unknown>): Role | null {
  const role = recognizeRole(text(assignment.roleName))
  if (role !== null) return role
  const href = text(raw(raw(assignment._links).role).href) || text(assignment.role)
  const number = Number(href.split('/').at(-1))
  return ROLES.find((candidate) => candidate.number === number)?.name ?? null
}
