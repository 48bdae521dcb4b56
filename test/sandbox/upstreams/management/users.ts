// Users: the caller, lists of users, and changes of roles.
import { recorderOf } from '../../api/audit.ts'
import { callerOf } from '../../api/bearer.ts'
import { halPage } from '../../api/hal.ts'
import { found } from '../../api/problems.ts'
import { MANAGEMENT, params, type Upstream } from '../../api/upstream.ts'
import type { RoleRecord, UserRecord } from '../../records/people.ts'
import { isMarker } from '../../records/roles.ts'
import type { OrganizationRecord } from '../../records/sites.ts'
import { type State, scopeOf } from '../../state.ts'
import { organizationOf } from './organizations.ts'
import { changeRoles, roleBodies, rolesText } from './roles.ts'

export const users: Upstream = (api, state) => {
  const toBody = (user: UserRecord): object => userBody(state, user)
  const record = recorderOf(state, 'USER', ({ id, fullName: name, organizationId }: UserRecord) => ({
    id,
    name,
    organizationId
  }))
  const searched = (user: UserRecord): string[] => [user.fullName, user.email]
  const list = (request: Parameters<typeof halPage>[0], allUsers: UserRecord[]): object => {
    const items = filterUsers(state, allUsers, request.query as UserFilter)
    return halPage(request, { rel: 'users', items, toBody, searched })
  }

  api.get(`${MANAGEMENT}/myUser`, async (request) => toBody(callerOf(request)))
  api.get(`${MANAGEMENT}/users/:id`, async (request) => toBody(userOf(state, params(request).id)))
  for (const path of ['/users', '/users/search/findByKeyword'])
    api.get(`${MANAGEMENT}${path}`, async (request) => list(request, people(state)))

  for (const path of ['/users', '/users/search/findByKeyword'])
    api.get(`${MANAGEMENT}/organizations/:id${path}`, async (request) => {
      const organization = organizationOf(state, params(request).id)
      return list(
        request,
        people(state).filter((user) => isAt(user, organization))
      )
    })
  api.get(`${MANAGEMENT}/organizations/:id/allUsers`, async (request) => {
    const organization = organizationOf(state, params(request).id)
    return list(
      request,
      people(state).filter((user) => isAtOrBelow(state, user, organization))
    )
  })

  api.patch(`${MANAGEMENT}/users/:id/roleAssignments`, async (request) => {
    const user = userOf(state, params(request).id)
    const before = user.roleAssignments
    user.roleAssignments = changeRoles(state, before, request.body)
    const change = { before: rolesText(before), after: rolesText(user.roleAssignments) }
    record(request, 'ROLES_CHANGED', user, [{ field: 'roleAssignments', ...change }])
    return { roleAssignments: roleBodies(user.roleAssignments) }
  })
}

export function userOf(state: State, id: string): UserRecord {
  return found(state.users.get(id), `user ${id}`)
}

// Service accounts can call the APIs but are not listed as people.
function people(state: State): UserRecord[] {
  return [...state.users.values()].filter((user) => user.id.startsWith('u-'))
}

function isAt(user: UserRecord, organization: OrganizationRecord): boolean {
  const scope = scopeOf(organization)
  return user.organizationId === organization.id || user.roleAssignments.some((held) => held.scope === scope)
}

function isAtOrBelow(state: State, user: UserRecord, organization: OrganizationRecord): boolean {
  const scope = scopeOf(organization)
  const isWithin = (held: string): boolean => held === scope || held.startsWith(`${scope}/`)
  if (user.roleAssignments.some((held) => isWithin(held.scope))) return true
  const homeOrganization = state.organizations.get(user.organizationId ?? '')
  return homeOrganization !== undefined && isWithin(scopeOf(homeOrganization))
}

interface UserFilter {
  role?: string | string[]
  userType?: string
  customerId?: string
}

function filterUsers(
  state: State,
  allUsers: UserRecord[],
  { role = [], userType, customerId }: UserFilter
): UserRecord[] {
  const roles = [role].flat()
  const hasRole = ({ roleNumber, roleName }: RoleRecord): boolean =>
    roles.some((searched) => String(roleNumber) === searched || roleName.includes(searched))
  return allUsers.filter(
    (user) =>
      (!userType || user.userType === userType) &&
      (roles.length === 0 || user.roleAssignments.some(hasRole)) &&
      (!customerId || reaches(user, organizationOf(state, customerId)))
  )
}

// A role for all customers gives access to each customer.
function reaches(user: UserRecord, customer: OrganizationRecord): boolean {
  const scope = scopeOf(customer)
  const covers = (held: string): boolean => held === '/' || held === scope || scope.startsWith(`${held}/`)
  return (
    user.organizationId === customer.id ||
    user.roleAssignments.some((held) => !isMarker(held.roleNumber) && covers(held.scope))
  )
}

function userBody(state: State, user: UserRecord): object {
  const { username: _username, roleAssignments, ...fields } = user
  const organizationName = state.organizations.get(user.organizationId ?? '')?.orgName ?? null
  return { ...fields, organizationName, roleAssignments: roleBodies(roleAssignments) }
}
