// What is told of users, roles and invitations (§7, A-5, A-6). Data only.
import Type from 'typebox'
import { type Area, area } from './area.ts'
import {
  ASSIGNMENT,
  DONE,
  Href,
  halList,
  json,
  NEW_ASSIGNMENT,
  nullableText,
  optional,
  RoleAssignment,
  roleChanges,
  text,
  time
} from './shapes.ts'

const UserType = Type.Enum(['PARTNER', 'CUSTOMER', 'INTERNAL', 'UNASSIGNED'], {
  type: 'string',
  description: '`INTERNAL` is a global admin.'
})
const User = Type.Object(
  {
    id: text,
    organizationId: nullableText,
    organizationName: nullableText,
    fullName: text,
    email: text,
    userType: UserType,
    status: Type.Enum(['ACTIVE', 'DISABLED'], { type: 'string' }),
    lastActiveDate: optional(nullableText),
    roleAssignments: Type.Array(RoleAssignment)
  },
  { $id: 'User' }
)
const USER = {
  id: 'u-17',
  organizationId: '9',
  organizationName: 'Northwind Properties',
  fullName: 'Maria Ruiz',
  email: 'maria@example.com',
  userType: 'CUSTOMER',
  status: 'ACTIVE',
  lastActiveDate: '2025-06-12T12:05:31.120Z',
  roleAssignments: [ASSIGNMENT]
}
const users = { 200: halList('One page of users.', 'users', User, USER) }

const Invitation = Type.Object(
  {
    id: text,
    partnerName: text,
    customerName: nullableText,
    email: text,
    message: optional(nullableText),
    createdDate: time,
    expiresDate: time,
    invitedBy: text,
    status: Type.Enum(['PENDING', 'ACCEPTED', 'REJECTED', 'EXPIRED'], { type: 'string' }),
    roleAssignments: Type.Array(RoleAssignment)
  },
  { $id: 'UserInvitation' }
)
const INVITATION = {
  id: 'inv-4',
  partnerName: 'Brightwell Integration',
  customerName: 'Northwind Properties',
  email: 'sam@example.com',
  createdDate: '2025-06-12T12:05:31.120Z',
  expiresDate: '2025-07-12T12:05:31.120Z',
  invitedBy: 'u-17',
  status: 'PENDING',
  roleAssignments: [ASSIGNMENT]
}
const invitations = { 200: halList('One page of invitations.', 'userInvitations', Invitation, INVITATION) }
const notYours = {
  404: { problem: 'not_found', code: 'notFound', description: 'The caller has no such invitation.' }
}

const Role = Type.Object(
  { roleNumber: Type.Integer(), name: text, _links: Type.Object({ self: Href }) },
  { $id: 'Role' }
)

export const people: Area = area(
  'Users, roles and invitations',
  'Who may do what: people, the roles they hold at scopes, and inviting more.',
  {
    'users.me': { summary: 'Get the caller', answers: { 200: json('The caller.', User, USER) } },
    'users.my-invitations': {
      summary: "List the caller's pending invitations",
      answers: invitations
    },
    'roles.list': {
      summary: 'List the roles',
      answers: {
        200: halList('All roles.', 'roles', Role, {
          roleNumber: 4,
          name: 'customer_admin',
          _links: { self: { href: '/roles/4' } }
        })
      }
    },
    'users.list': { summary: 'List all users', answers: users },
    'users.search': { summary: 'Search all users', answers: users },
    'users.get': { summary: 'Get a user', answers: { 200: json('The user.', User, USER) } },
    'organizations.users': {
      summary: 'List the users of an organization or customer',
      answers: users
    },
    'organizations.users-search': {
      summary: 'Search the users of an organization or customer',
      answers: users
    },
    'organizations.all-users': {
      summary: 'List the users of an organization and of its customers',
      answers: users
    },
    'organizations.user-invitations': {
      summary: 'List the invitations of an organization or customer',
      answers: invitations
    },
    'users.change-roles': {
      summary: 'Change the roles of a user',
      ...roleChanges,
      refusals: {
        409: {
          problem: 'last_admin',
          code: 'LAST_ADMIN',
          description: 'It would take away the last admin of a scope.'
        }
      }
    },
    'invitations.create': {
      summary: 'Invite somebody',
      example: {
        email: 'sam@example.com',
        message: 'Welcome to the portal.',
        partner: '/organizations/1',
        customer: '/organizations/9',
        roleAssignments: [NEW_ASSIGNMENT]
      },
      answers: { 201: json('The invitation.', Invitation, INVITATION) }
    },
    'invitations.cancel': { summary: 'Cancel an invitation', answers: DONE },
    'invitations.resend': { summary: 'Send an invitation again', answers: DONE },
    'invitations.accept': {
      summary: "Accept one of the caller's invitations",
      answers: DONE,
      refusals: { ...notYours, 410: { code: 'expired', description: 'The invitation has expired.' } }
    },
    'invitations.reject': {
      summary: "Decline one of the caller's invitations",
      answers: DONE,
      refusals: notYours
    }
  }
)
