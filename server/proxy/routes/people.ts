// Users, roles and invitations (§7, A-5, A-6). Rows only.
import type { ProxyRow } from '../table.ts'

const BASE = '/api/v2/management'
const ORGANIZATION = `${BASE}/organizations/:organizationId`
const INVITATION = `${BASE}/userInvitation/:invitationId`
const read = { method: 'GET', upstream: 'MANAGEMENT' } as const
const answer = { method: 'POST', upstream: 'MANAGEMENT', action: 'signed-in', scope: 'anywhere', check: 'own-invitation' } as const

export const people: readonly ProxyRow[] = [
  { ...read, id: 'users.me', path: `${BASE}/myUser`, action: 'signed-in' },
  { ...read, id: 'users.my-invitations', path: `${BASE}/myUser/userInvitations`, action: 'signed-in' },
  { ...read, id: 'roles.list', path: `${BASE}/roles`, action: 'signed-in' },
  { ...read, id: 'users.list', path: `${BASE}/users`, action: 'users:view', scope: 'root' },
  { ...read, id: 'users.search', path: `${BASE}/users/search/findByKeyword`, action: 'users:view', scope: 'root' },
  { ...read, id: 'users.get', path: `${BASE}/users/:userId`, action: 'users:view', scope: 'user' },
  { ...read, id: 'organizations.users', path: `${ORGANIZATION}/users`, action: 'users:view', scope: 'organization' },
  { ...read, id: 'organizations.users-search', path: `${ORGANIZATION}/users/search/findByKeyword`, action: 'users:view', scope: 'organization' },
  { ...read, id: 'organizations.all-users', path: `${ORGANIZATION}/allUsers`, action: 'users:view', scope: 'organization' },
  { ...read, id: 'organizations.user-invitations', path: `${ORGANIZATION}/userInvitations`, action: 'users:view', scope: 'organization' },
  { id: 'users.change-roles', method: 'PATCH', path: `${BASE}/users/:userId/roleAssignments`, action: 'users:modify-roles', scope: 'user', check: 'user-grants', upstream: 'MANAGEMENT', accepts: ['create', 'update', 'delete'] },
  {
    id: 'invitations.create',
    method: 'POST',
    path: `${BASE}/userInvitations`,
    action: 'users:modify-roles',
    scope: 'body-organization',
    check: 'invitation-grants',
    upstream: 'MANAGEMENT',
    accepts: ['email', 'message', 'partner', 'customer', 'roleAssignments']
  },
  { id: 'invitations.cancel', method: 'DELETE', path: `${BASE}/userInvitations/:invitationId`, action: 'users:modify-roles', scope: 'invitation', upstream: 'MANAGEMENT' },
  { id: 'invitations.resend', method: 'POST', path: `${INVITATION}/resend`, action: 'users:modify-roles', scope: 'invitation', upstream: 'MANAGEMENT' },
  { ...answer, id: 'invitations.accept', path: `${INVITATION}/accept` },
  { ...answer, id: 'invitations.reject', path: `${INVITATION}/reject` }
]
