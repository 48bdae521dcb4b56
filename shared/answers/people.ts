// Schemas of users, roles, invitations and service accounts in answers of the management API.
import Type, { type Static } from 'typebox'
import { Href, named, oneOf, optional, textOrNull, texts, time } from './parts.ts'

/** INTERNAL is a global admin. */
export const USER_TYPES = ['PARTNER', 'CUSTOMER', 'INTERNAL', 'UNASSIGNED'] as const
export const UserType = oneOf(USER_TYPES, '`INTERNAL` is a global admin.')
export type UserType = Static<typeof UserType>

export const Role = named('Role', {
  roleNumber: Type.Integer(),
  ...texts('name'),
  _links: Type.Object({ self: Href })
})
export type Role = Static<typeof Role>

export const RoleAssignment = named('RoleAssignment', {
  ...texts('id', 'roleName'),
  scope: Type.String({ description: 'A scope path.', examples: ['/organizations/1/customers/9'] }),
  _links: Type.Object({ role: Href })
})
export type RoleAssignment = Static<typeof RoleAssignment>

const roleAssignments = Type.Array(RoleAssignment)

export const User = named('User', {
  ...texts('id', 'fullName', 'email'),
  organizationId: textOrNull(),
  organizationName: textOrNull(),
  userType: UserType,
  status: oneOf(['ACTIVE', 'DISABLED']),
  lastActiveDate: optional(textOrNull('Null if never.')),
  roleAssignments
})
export type User = Static<typeof User>

export const Invitation = named('UserInvitation', {
  ...texts('id', 'partnerName', 'email', 'invitedBy'),
  customerName: textOrNull(),
  message: optional(textOrNull()),
  createdDate: time(),
  expiresDate: time(),
  status: oneOf(['PENDING', 'ACCEPTED', 'REJECTED', 'EXPIRED']),
  roleAssignments
})
export type Invitation = Static<typeof Invitation>

export const ServiceAccount = named('ServiceAccount', {
  ...texts('id', 'serviceName', 'description', 'clientId', 'createdBy'),
  secretExpiration: textOrNull('Null if the service account has no secret yet.'),
  createdDate: time(),
  lastUsedDate: optional(textOrNull('Null if never.')),
  customer: optional(textOrNull()),
  partner: optional(textOrNull()),
  roleAssignments
})
export type ServiceAccount = Static<typeof ServiceAccount>

export const NewSecret = Type.Object({ ...texts('clientId', 'secret'), expiration: time() })
export type NewSecret = Static<typeof NewSecret>
