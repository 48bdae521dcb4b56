// Service accounts (§7, A-11). Rows and what they take.
import { DESCRIPTION_MAX_CHARACTERS } from '#shared/limits.ts'
import { closed, optional, text, time } from '../../schemas.ts'
import type { ProxyRow } from '../table.ts'
import { newAssignments, owner, roleChanges, SEARCHED } from './schemas.ts'

const BASE = '/api/v2/management/serviceAccounts'
const ACCOUNT = `${BASE}/:serviceAccountId`
const one = { scope: 'service-account', upstream: 'MANAGEMENT' } as const

const texts = { serviceName: optional(text(50)), description: optional(text(DESCRIPTION_MAX_CHARACTERS)) }
const newAccount = closed({ ...texts, ...owner, roleAssignments: newAssignments }, { $id: 'NewServiceAccount' })
const accountChange = closed(texts, { $id: 'ServiceAccountChange' })
const newSecret = closed({ expiration: optional(time('When it ends.')) }, { $id: 'NewSecret' })

export const serviceAccounts: readonly ProxyRow[] = [
  { id: 'service-accounts.list', method: 'GET', path: '/api/v2/management/organizations/:organizationId/serviceAccounts', action: 'service-accounts:view', scope: 'organization', upstream: 'MANAGEMENT', query: closed(SEARCHED) },
  { id: 'service-accounts.create', method: 'POST', path: BASE, action: 'service-accounts:create', scope: 'body-organization', check: 'new-account-grants', upstream: 'MANAGEMENT', body: newAccount, tellsSecret: true },
  { ...one, id: 'service-accounts.get', method: 'GET', path: ACCOUNT, action: 'service-accounts:view' },
  { ...one, id: 'service-accounts.edit', method: 'PATCH', path: ACCOUNT, action: 'service-accounts:edit', body: accountChange },
  { ...one, id: 'service-accounts.delete', method: 'DELETE', path: ACCOUNT, action: 'service-accounts:delete' },
  { ...one, id: 'service-accounts.change-roles', method: 'PATCH', path: `${ACCOUNT}/roleAssignments`, action: 'service-accounts:modify-roles', check: 'account-grants', body: roleChanges },
  { ...one, id: 'service-accounts.new-secret', method: 'POST', path: `${ACCOUNT}/secret`, action: 'service-accounts:regenerate-secret', body: newSecret, tellsSecret: true }
]
