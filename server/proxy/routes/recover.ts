// Rows for the saved backups of a customer, with their request schemas.
import { Backup, BackupTrigger } from '#shared/answers/files.ts'
import { DESCRIPTION_MAX_CHARACTERS } from '#shared/limits.ts'
import { closed, id, optional, text, time, yesNo } from '../../schemas.ts'
import { done, file, list, ok } from '../answers.ts'
import type { ProxyRow } from '../row.ts'
import { SEARCHED } from './schemas.ts'

const BACKUPS = '/api/v1/recover/customers/:customerId/backups'
const area = { name: 'Saved backups', description: 'Backups of the stations of a customer (Recover).' }
const common = { area, scope: 'customer' } as const
const oneBackup = { ...common, upstreamProves: ['backupId'] } as const

const filter = closed({
  ...SEARCHED,
  deviceUuid: optional(id('Only backups of this device.')),
  projectId: optional(id('Only backups of the devices of this project.', 'p-3')),
  trigger: optional(BackupTrigger),
  retained: optional(yesNo('True: only backups that are kept forever. False: only backups that are not.')),
  from: optional(time('Only backups since this time.')),
  to: optional(time('Only backups until this time.'))
})
const change = closed({ notes: optional(text(DESCRIPTION_MAX_CHARACTERS)), retained: optional(yesNo()) }, { $id: 'BackupChange' })

const retained = { 409: { description: 'The backup is kept forever.' } }

export const recover: readonly ProxyRow[] = [
  { ...common, id: 'backups.list', method: 'GET', path: BACKUPS, action: 'recover:view', query: filter, upstreamProves: ['deviceUuid', 'projectId'], summary: 'List the backups of a customer', answers: list('backups', Backup) },
  { ...oneBackup, id: 'backups.edit', method: 'PATCH', path: `${BACKUPS}/:backupId`, action: 'recover:edit', body: change, recorded: ['retained'], summary: 'Add a note to a backup, or keep it forever', answers: ok(Backup) },
  { ...oneBackup, id: 'backups.delete', method: 'DELETE', path: `${BACKUPS}/:backupId`, action: 'recover:delete', changes: 'backups', summary: 'Delete a backup', answers: done, refusals: retained },
  { ...oneBackup, id: 'backups.download', method: 'GET', path: `${BACKUPS}/:backupId/download`, action: 'recover:download', leadsToFile: true, summary: 'Download a backup', answers: file }
]
