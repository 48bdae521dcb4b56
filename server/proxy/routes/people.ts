// Rows for users, roles and invitations, with their request schemas.
import { oneOf } from '#shared/answers/parts.ts'
import { Invitation, Role, User, UserType } from '#shared/answers/people.ts'
import { DESCRIPTION_MAX_CHARACTERS, EMAIL_MAX_CHARACTERS } from '#shared/limits.ts'
import { closed, id, listOf, optional, text } from '../../schemas.ts'
import { changedRoles, created, done, list, ok } from '../answers.ts'
import type { ProxyRow } from '../row.ts'
import { IDS_BYTES, integrator, NEW_ROLES, newAssignments, owner, PAGED, ROLE_CHANGES, roleChanges, SEARCHED } from './schemas.ts'

const BASE = '/api/v2/management'
const ORGANIZATION = `${BASE}/organizations/:organizationId`
const INVITATION = `${BASE}/userInvitation/:invitationId`
const area = { name: 'Users, roles and invitations', description: 'People, their roles at scopes, and invitations.' }
const read = { area, method: 'GET' } as const
const change = { area, action: 'users:modify-roles' } as const
const answer = { area, method: 'POST', action: 'signed-in', scope: 'anywhere', check: 'own-invitation', answers: done } as const

const lastAdmin = { 409: { problem: 'last_admin', code: 'LAST_ADMIN', description: 'The change would remove the last admin of a scope.' } }
const notYours = { 404: { problem: 'not_found', code: 'notFound', description: 'The caller has no such invitation.' } }
const expired = { 410: { code: 'expired', description: 'The invitation has expired.' } }

const paged = closed(PAGED)
const users = {
  ...read,
  action: 'users:view',
  query: closed({
    ...SEARCHED,
    order: optional(oneOf(['asc', 'desc'], 'Ascending or descending.')),
    role: optional(listOf(text(100), 20, { description: 'Number or name of a role. Repeat the parameter to allow several roles.' })),
    userType: optional(UserType),
    customerId: optional(id('Only users with access to this customer.', '9'))
  }),
  upstreamProves: ['customerId'],
  answers: list('users', User)
} as const
const newInvitation = closed({ email: text(EMAIL_MAX_CHARACTERS), message: optional(text(DESCRIPTION_MAX_CHARACTERS)), customer: owner.customer, partner: integrator, roleAssignments: newAssignments }, { $id: 'NewUserInvitation' })

export const people: readonly ProxyRow[] = [
  { ...read, id: 'users.me', path: `${BASE}/myUser`, action: 'signed-in', summary: 'Get the caller', answers: ok(User) },
  { ...read, id: 'users.my-invitations', path: `${BASE}/myUser/userInvitations`, action: 'signed-in', query: paged, summary: "List the caller's pending invitations", answers: list('userInvitations', Invitation) },
  { ...read, id: 'roles.list', path: `${BASE}/roles`, action: 'signed-in', query: paged, summary: 'List the roles', answers: list('roles', Role) },
  { ...users, id: 'users.list', path: `${BASE}/users`, scope: 'root', summary: 'List all users' },
  { ...users, id: 'users.search', path: `${BASE}/users/search/findByKeyword`, scope: 'root', summary: 'Search all users' },
  { ...read, id: 'users.get', path: `${BASE}/users/:userId`, action: 'users:view', scope: 'user', summary: 'Get a user', answers: ok(User) },
  { ...users, id: 'organizations.users', path: `${ORGANIZATION}/users`, scope: 'organization', summary: 'List the users of an organization or customer' },
  { ...users, id: 'organizations.users-search', path: `${ORGANIZATION}/users/search/findByKeyword`, scope: 'organization', summary: 'Search the users of an organization or customer' },
  { ...users, id: 'organizations.all-users', path: `${ORGANIZATION}/allUsers`, scope: 'organization', summary: 'List the users of an organization and of its customers' },
  {
    ...read,
    id: 'organizations.user-invitations',
    path: `${ORGANIZATION}/userInvitations`,
    action: 'users:view',
    scope: 'organization',
    query: closed(SEARCHED),
    summary: 'List the invitations of an organization or customer',
    answers: list('userInvitations', Invitation)
  },
  {
    ...change,
    id: 'users.change-roles',
    method: 'PATCH',
    path: `${BASE}/users/:userId/roleAssignments`,
    scope: 'user',
    check: 'user-grants',
    body: roleChanges,
    recorded: ROLE_CHANGES,
    bodyLimit: IDS_BYTES,
    summary: 'Change the roles of a user',
    answers: changedRoles,
    refusals: lastAdmin
  },
  {
    ...change,
    id: 'invitations.create',
    method: 'POST',
    path: `${BASE}/userInvitations`,
    scope: 'body-organization',
    check: 'invitation-grants',
    body: newInvitation,
    recorded: NEW_ROLES,
    bodyLimit: IDS_BYTES,
    summary: 'Invite somebody',
    answers: created(Invitation)
  },
  { ...change, id: 'invitations.cancel', method: 'DELETE', path: `${BASE}/userInvitations/:invitationId`, scope: 'invitation', summary: 'Cancel an invitation', answers: done },
  { ...change, id: 'invitations.resend', method: 'POST', path: `${INVITATION}/resend`, scope: 'invitation', summary: 'Send an invitation again', answers: done },
  { ...answer, id: 'invitations.accept', path: `${INVITATION}/accept`, summary: "Accept one of the caller's invitations", refusals: { ...notYours, ...expired } },
  { ...answer, id: 'invitations.reject', path: `${INVITATION}/reject`, summary: "Decline one of the caller's invitations", refusals: notYours }
]
