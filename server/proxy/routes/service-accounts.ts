// Rows for service accounts, with their request schemas.
import { NewSecret, ServiceAccount } from '#shared/answers/people.ts'
import { DESCRIPTION_MAX_CHARACTERS } from '#shared/limits.ts'
import { closed, optional, text, time } from '../../schemas.ts'
import { changedRoles, created, done, list, ok } from '../answers.ts'
import type { ProxyRow } from '../row.ts'
import { IDS_BYTES, integrator, NEW_ROLES, newAssignments, owner, ROLE_CHANGES, roleChanges, SEARCHED } from './schemas.ts'

const BASE = '/api/v2/management/serviceAccounts'
const ACCOUNT = `${BASE}/:serviceAccountId`
const area = { name: 'Service accounts', description: 'Accounts for programs. Each has roles and a secret.' }
const account = { area, scope: 'service-account' } as const

const serviceName = text(50)
const description = optional(text(DESCRIPTION_MAX_CHARACTERS))
const newAccount = closed({ serviceName, description, customer: owner.customer, partner: integrator, roleAssignments: newAssignments }, { $id: 'NewServiceAccount' })
const accountChange = closed({ serviceName: optional(serviceName), description }, { $id: 'ServiceAccountChange' })
const newSecret = closed({ expiration: time('When the secret expires.') }, { $id: 'NewSecret' })

export const serviceAccounts: readonly ProxyRow[] = [
  {
    area,
    id: 'service-accounts.list',
    method: 'GET',
    path: '/api/v2/management/organizations/:organizationId/serviceAccounts',
    action: 'service-accounts:view',
    scope: 'organization',
    query: closed(SEARCHED),
    summary: 'List the service accounts of an organization or customer',
    answers: list('serviceAccounts', ServiceAccount)
  },
  {
    area,
    id: 'service-accounts.create',
    method: 'POST',
    path: BASE,
    action: 'service-accounts:create',
    scope: 'body-organization',
    check: 'new-account-grants',
    body: newAccount,
    recorded: ['serviceName', ...NEW_ROLES],
    bodyLimit: IDS_BYTES,
    tellsSecret: true,
    summary: 'Create a service account',
    answers: created(ServiceAccount, 'The service account; it has no secret yet.')
  },
  { ...account, id: 'service-accounts.get', method: 'GET', path: ACCOUNT, action: 'service-accounts:view', summary: 'Get a service account', answers: ok(ServiceAccount) },
  {
    ...account,
    id: 'service-accounts.edit',
    method: 'PATCH',
    path: ACCOUNT,
    action: 'service-accounts:edit',
    body: accountChange,
    recorded: ['serviceName'],
    recordedBefore: ['serviceName'],
    summary: 'Rename or describe a service account',
    answers: ok(ServiceAccount)
  },
  { ...account, id: 'service-accounts.delete', method: 'DELETE', path: ACCOUNT, action: 'service-accounts:delete', recordedBefore: ['serviceName'], summary: 'Delete a service account', answers: done },
  {
    ...account,
    id: 'service-accounts.change-roles',
    method: 'PATCH',
    path: `${ACCOUNT}/roleAssignments`,
    action: 'service-accounts:modify-roles',
    check: 'account-grants',
    body: roleChanges,
    recorded: ROLE_CHANGES,
    bodyLimit: IDS_BYTES,
    summary: 'Change the roles of a service account',
    answers: changedRoles
  },
  {
    ...account,
    id: 'service-accounts.new-secret',
    method: 'POST',
    path: `${ACCOUNT}/secret`,
    action: 'service-accounts:regenerate-secret',
    body: newSecret,
    recorded: ['expiration'],
    tellsSecret: true,
    summary: 'Make a new secret',
    description: 'Only this answer contains the secret. The previous secret stops working.',
    answers: ok(NewSecret)
  }
]
