// Users: who the caller is, lists of users, and changing what they hold.
import { audit } from '../../api/audit.ts'
import { callerOf } from '../../api/bearer.ts'
import { halPage } from '../../api/hal.ts'
import { Orders } from '../../api/paging.ts'
import { notFound } from '../../api/problems.ts'
import { MANAGEMENT, params, type Upstream } from '../../api/upstream.ts'
import type { RoleRecord, UserRecord } from '../../records/people.ts'
import { isMarker } from '../../records/roles.ts'
import type { OrganizationRecord } from '../../records/sites.ts'
import { type State, scopeOf } from '../../state.ts'
import { organizationOf } from './organizations.ts'
import { changeRoles } from './role-changes.ts'
import { roleBodies } from './roles.ts'

export const users: Upstream = (api, state) => {
  const toBody = (user: UserRecord): object => userBody(state, user)
  const searched = (user: UserRecord): string[] => [user.fullName, user.email]
  const orders = new Orders<UserRecord>()
  // Cheap to have: a list of 10,000 is looked through for each of its pages, whether it is still in order.
  const sorted = ({ id, fullName, email, userType, status, lastActiveDate, organizationId }: UserRecord) => ({
    id,
    fullName,
    email,
    userType,
    status,
    lastActiveDate,
    organizationName: state.organizations.get(organizationId ?? '')?.orgName ?? null
  })
  const list = (request: Parameters<typeof halPage>[0], found: UserRecord[]): object => {
    const items = filtered(state, found, request.query as UserFilter)
    return halPage(request, { rel: 'users', items, toBody, searched, sortedBy: sorted, orders })
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
    audit(state, request, {
      action: 'ROLES_CHANGED',
      resource: { type: 'USER', id: user.id, name: user.fullName },
      organizationId: user.organizationId,
      changes: [
        { field: 'roleAssignments', before: rolesText(before), after: rolesText(user.roleAssignments) }
      ]
    })
    return { roleAssignments: roleBodies(user.roleAssignments) }
  })
}

export function userOf(state: State, id: string): UserRecord {
  const user = state.users.get(id)
  if (!user) throw notFound(`user ${id}`)
  return user
}

// Services are users to bearer tokens only, never in a list of people.
function people(state: State): UserRecord[] {
  return [...state.users.values()].filter((user) => user.id.startsWith('u-'))
}

function isAt(user: UserRecord, organization: OrganizationRecord): boolean {
  const scope = scopeOf(organization)
  return user.organizationId === organization.id || user.roleAssignments.some((held) => held.scope === scope)
}

function isAtOrBelow(state: State, user: UserRecord, organization: OrganizationRecord): boolean {
  const scope = scopeOf(organization)
  const within = (held: string): boolean => held === scope || held.startsWith(`${scope}/`)
  if (user.roleAssignments.some((held) => within(held.scope))) return true
  const home = state.organizations.get(user.organizationId ?? '')
  return home !== undefined && within(scopeOf(home))
}

interface UserFilter {
  role?: string | string[]
  userType?: string
  customerId?: string
}

function filtered(
  state: State,
  found: UserRecord[],
  { role = [], userType, customerId }: UserFilter
): UserRecord[] {
  const roles = [role].flat()
  const hasRole = ({ roleNumber, roleName }: RoleRecord): boolean =>
    roles.some((one) => String(roleNumber) === one || roleName.includes(one))
  return found.filter(
    (user) =>
      (!userType || user.userType === userType) &&
      (roles.length === 0 || user.roleAssignments.some(hasRole)) &&
      (!customerId || reaches(user, organizationOf(state, customerId)))
  )
}

// Who holds a role for all customers has access to each of them.
function reaches(user: UserRecord, customer: OrganizationRecord): boolean {
  const scope = scopeOf(customer)
  const covers = (held: string): boolean => held === '/' || held === scope || scope.startsWith(`${held}/`)
  return (
    user.organizationId === customer.id ||
    user.roleAssignments.some((held) => !isMarker(held.roleNumber) && covers(held.scope))
  )
}

export function rolesText(held: UserRecord['roleAssignments']): string {
  return held.map(({ roleName, scope }) => `${roleName} at ${scope}`).join(', ')
}

function userBody(state: State, user: UserRecord): object {
  const { username: _username, roleAssignments, ...shown } = user
  const organizationName = state.organizations.get(user.organizationId ?? '')?.orgName ?? null
  return { ...shown, organizationName, roleAssignments: roleBodies(roleAssignments) }
}
