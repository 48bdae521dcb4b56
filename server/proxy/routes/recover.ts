// Saved backups of a customer. Rows only.
import type { ProxyRow } from '../table.ts'

const BACKUPS = '/api/v1/recover/customers/:customerId/backups'
const shared = { scope: 'customer', upstream: 'RECOVER' } as const

export const recover: readonly ProxyRow[] = [
  { ...shared, id: 'backups.list', method: 'GET', path: BACKUPS, action: 'recover:view' },
  { ...shared, id: 'backups.edit', method: 'PATCH', path: `${BACKUPS}/:backupId`, action: 'recover:edit', accepts: ['notes', 'retained'] },
  { ...shared, id: 'backups.delete', method: 'DELETE', path: `${BACKUPS}/:backupId`, action: 'recover:delete' },
  { ...shared, id: 'backups.download', method: 'GET', path: `${BACKUPS}/:backupId/download`, action: 'recover:download', leadsToFile: true }
]
