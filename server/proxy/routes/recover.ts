// Saved backups of a customer. Rows and what they take.
import { DESCRIPTION_MAX_CHARACTERS } from '#shared/limits.ts'
import { closed, id, oneOf, optional, text, time, yesNo } from '../../schemas.ts'
import type { ProxyRow } from '../table.ts'
import { SEARCHED } from './schemas.ts'

const BACKUPS = '/api/v1/recover/customers/:customerId/backups'
const shared = { scope: 'customer', upstream: 'RECOVER' } as const
const one = { ...shared, upstreamProves: ['backupId'] } as const

const filter = closed({
  ...SEARCHED,
  deviceUuid: optional(id('Of this device.')),
  trigger: optional(oneOf(['MANUAL', 'SCHEDULED'], 'How it began.')),
  retained: optional(yesNo('Only those that are kept, or not kept, for good.')),
  from: optional(time('Not before.')),
  to: optional(time('Not after.'))
})
const change = closed({ notes: optional(text(DESCRIPTION_MAX_CHARACTERS)), retained: optional(yesNo()) }, { $id: 'BackupChange' })

export const recover: readonly ProxyRow[] = [
  { ...shared, id: 'backups.list', method: 'GET', path: BACKUPS, action: 'recover:view', query: filter, upstreamProves: ['deviceUuid'] },
  { ...one, id: 'backups.edit', method: 'PATCH', path: `${BACKUPS}/:backupId`, action: 'recover:edit', body: change },
  { ...one, id: 'backups.delete', method: 'DELETE', path: `${BACKUPS}/:backupId`, action: 'recover:delete' },
  { ...one, id: 'backups.download', method: 'GET', path: `${BACKUPS}/:backupId/download`, action: 'recover:download', leadsToFile: true }
]
