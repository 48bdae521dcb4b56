// What is told of service accounts (§7, A-11). Data only.
import Type from 'typebox'
import { type Area, area } from './area.ts'
import {
  ASSIGNMENT,
  DONE,
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

const ServiceAccount = Type.Object(
  {
    id: text,
    serviceName: text,
    description: text,
    clientId: text,
    secretExpiration: nullableText,
    createdBy: text,
    createdDate: time,
    lastUsedDate: optional(nullableText),
    customer: optional(nullableText),
    partner: optional(nullableText),
    roleAssignments: Type.Array(RoleAssignment)
  },
  { $id: 'ServiceAccount' }
)
const ACCOUNT = {
  id: 'sa-2',
  serviceName: 'Energy report',
  description: 'Reads histories every night.',
  clientId: 'sa-0b9c4f8e',
  secretExpiration: '2025-12-31T00:00:00.000Z',
  createdBy: 'Maria Ruiz',
  createdDate: '2025-06-12T12:05:31.120Z',
  lastUsedDate: null,
  customer: '/organizations/9',
  partner: '/organizations/1',
  roleAssignments: [ASSIGNMENT]
}
const account = { 200: json('The service account.', ServiceAccount, ACCOUNT) }

export const serviceAccounts: Area = area(
  'Service accounts',
  'Accounts of programs, each with roles and a secret of its own.',
  {
    'service-accounts.list': {
      summary: 'List the service accounts of an organization or customer',
      answers: { 200: halList('One page of them.', 'serviceAccounts', ServiceAccount, ACCOUNT) }
    },
    'service-accounts.create': {
      summary: 'Create a service account',
      example: {
        serviceName: 'Energy report',
        description: 'Reads histories every night.',
        customer: '/organizations/9',
        partner: '/organizations/1',
        roleAssignments: [NEW_ASSIGNMENT]
      },
      answers: { 201: json('The service account; it has no secret yet.', ServiceAccount, ACCOUNT) }
    },
    'service-accounts.get': { summary: 'Get a service account', answers: account },
    'service-accounts.edit': {
      summary: 'Rename or describe a service account',
      example: { description: 'Reads histories every hour.' },
      answers: account
    },
    'service-accounts.delete': { summary: 'Delete a service account', answers: DONE },
    'service-accounts.change-roles': { summary: 'Change the roles of a service account', ...roleChanges },
    'service-accounts.new-secret': {
      summary: 'Make a new secret',
      description: 'The answer is the only place where the secret is ever told; the one before ends with it.',
      example: { expiration: '2025-12-31T00:00:00.000Z' },
      answers: {
        200: json('The secret.', Type.Object({ clientId: text, secret: text, expiration: time }), {
          clientId: 'sa-0b9c4f8e',
          secret: '(told once)',
          expiration: '2025-12-31T00:00:00.000Z'
        })
      }
    }
  }
)
