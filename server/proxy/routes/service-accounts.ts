// Service accounts (§7, A-11). Rows only.
import type { ProxyRow } from '../table.ts'

const BASE = '/api/v2/management/serviceAccounts'
const ACCOUNT = `${BASE}/:serviceAccountId`
const one = { scope: 'service-account', upstream: 'MANAGEMENT' } as const

export const serviceAccounts: readonly ProxyRow[] = [
  { id: 'service-accounts.list', method: 'GET', path: '/api/v2/management/organizations/:organizationId/serviceAccounts', action: 'service-accounts:view', scope: 'organization', upstream: 'MANAGEMENT' },
  {
    id: 'service-accounts.create',
    method: 'POST',
    path: BASE,
    action: 'service-accounts:create',
    scope: 'body-organization',
    check: 'new-account-grants',
    upstream: 'MANAGEMENT',
    tellsSecret: true,
    accepts: ['serviceName', 'description', 'roleAssignments', 'customer', 'partner']
  },
  { ...one, id: 'service-accounts.get', method: 'GET', path: ACCOUNT, action: 'service-accounts:view' },
  { ...one, id: 'service-accounts.edit', method: 'PATCH', path: ACCOUNT, action: 'service-accounts:edit', accepts: ['serviceName', 'description'] },
  { ...one, id: 'service-accounts.delete', method: 'DELETE', path: ACCOUNT, action: 'service-accounts:delete' },
  { ...one, id: 'service-accounts.change-roles', method: 'PATCH', path: `${ACCOUNT}/roleAssignments`, action: 'service-accounts:modify-roles', check: 'account-grants', accepts: ['create', 'update', 'delete'] },
  { ...one, id: 'service-accounts.new-secret', method: 'POST', path: `${ACCOUNT}/secret`, action: 'service-accounts:regenerate-secret', accepts: ['expiration'], tellsSecret: true }
]
