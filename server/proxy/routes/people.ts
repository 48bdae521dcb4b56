// Users, roles and invitations (§7, A-5, A-6). Rows and what they take.
import { DESCRIPTION_MAX_CHARACTERS, EMAIL_MAX_CHARACTERS } from '#shared/limits.ts'
import { closed, id, listOf, oneOf, optional, text } from '../../schemas.ts'
import type { ProxyRow } from '../table.ts'
import { newAssignments, owner, PAGED, roleChanges, SEARCHED, userType } from './schemas.ts'

const BASE = '/api/v2/management'
const ORGANIZATION = `${BASE}/organizations/:organizationId`
const INVITATION = `${BASE}/userInvitation/:invitationId`
const read = { method: 'GET', upstream: 'MANAGEMENT' } as const
const answer = { method: 'POST', upstream: 'MANAGEMENT', action: 'signed-in', scope: 'anywhere', check: 'own-invitation' } as const

const paged = closed(PAGED)
const users = {
  ...read,
  action: 'users:view',
  query: closed({
    ...SEARCHED,
    order: optional(oneOf(['asc', 'desc'], 'Ascending or descending.')),
    role: optional(listOf(text(100), 20, { description: 'Number or name of a role that they hold; given several times, any of them.' })),
    userType: optional(userType),
    customerId: optional(id('Only users with access to this customer.', '9'))
  }),
  upstreamProves: ['customerId']
} as const
const newInvitation = closed({ email: optional(text(EMAIL_MAX_CHARACTERS)), message: optional(text(DESCRIPTION_MAX_CHARACTERS)), ...owner, roleAssignments: newAssignments }, { $id: 'NewUserInvitation' })

export const people: readonly ProxyRow[] = [
  { ...read, id: 'users.me', path: `${BASE}/myUser`, action: 'signed-in' },
  { ...read, id: 'users.my-invitations', path: `${BASE}/myUser/userInvitations`, action: 'signed-in', query: paged },
  { ...read, id: 'roles.list', path: `${BASE}/roles`, action: 'signed-in', query: paged },
  { ...users, id: 'users.list', path: `${BASE}/users`, scope: 'root' },
  { ...users, id: 'users.search', path: `${BASE}/users/search/findByKeyword`, scope: 'root' },
  { ...read, id: 'users.get', path: `${BASE}/users/:userId`, action: 'users:view', scope: 'user' },
  { ...users, id: 'organizations.users', path: `${ORGANIZATION}/users`, scope: 'organization' },
  { ...users, id: 'organizations.users-search', path: `${ORGANIZATION}/users/search/findByKeyword`, scope: 'organization' },
  { ...users, id: 'organizations.all-users', path: `${ORGANIZATION}/allUsers`, scope: 'organization' },
  { ...read, id: 'organizations.user-invitations', path: `${ORGANIZATION}/userInvitations`, action: 'users:view', scope: 'organization', query: closed(SEARCHED) },
  { id: 'users.change-roles', method: 'PATCH', path: `${BASE}/users/:userId/roleAssignments`, action: 'users:modify-roles', scope: 'user', check: 'user-grants', upstream: 'MANAGEMENT', body: roleChanges },
  { id: 'invitations.create', method: 'POST', path: `${BASE}/userInvitations`, action: 'users:modify-roles', scope: 'body-organization', check: 'invitation-grants', upstream: 'MANAGEMENT', body: newInvitation },
  { id: 'invitations.cancel', method: 'DELETE', path: `${BASE}/userInvitations/:invitationId`, action: 'users:modify-roles', scope: 'invitation', upstream: 'MANAGEMENT' },
  { id: 'invitations.resend', method: 'POST', path: `${INVITATION}/resend`, action: 'users:modify-roles', scope: 'invitation', upstream: 'MANAGEMENT' },
  { ...answer, id: 'invitations.accept', path: `${INVITATION}/accept` },
  { ...answer, id: 'invitations.reject', path: `${INVITATION}/reject` }
]
