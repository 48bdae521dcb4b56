import { useState } from 'react'
import type { Backup } from '#shared/answers/files.ts'
import { calls } from '#shared/calls.ts'
import { count, formatBytes } from '../../../lib/format.ts'
import { ApiError, failureOf, isNotFound, refusalText } from '../../../lib/http/api-error.ts'
import { consequenceText } from '../../../lib/http/consequence.ts'
import { useRefresh } from '../../../lib/http/query.ts'
import { download } from '../../../lib/http/request.ts'
import { formatMoment } from '../../../lib/time/time.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { NoteDialog } from '../../../ui/dialog/note-dialog.tsx'
import { Copyable } from '../../../ui/input/copy-button.tsx'
import { Facts } from '../../../ui/list/facts.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { changeBackup, deleteBackup, isKept } from './api.ts'

export type OpenDialog =
  | { kind: 'download'; backup: Backup }
  | { kind: 'note'; backup: Backup }
  | { kind: 'delete'; backups: Backup[] }

interface BackupDialogsProps {
  customerId: string
  dialog: OpenDialog
  onClose: () => void
  onDeleted: (ids: string[]) => void
}

export function BackupDialogs({ customerId, dialog, onClose, onDeleted }: BackupDialogsProps) {
  const refresh = useRefresh()
  const reload = () => refresh(calls.backups(customerId))
  const shared = { customerId, onClose, reload }
  if (dialog.kind === 'download') return <DownloadDialog {...shared} backup={dialog.backup} />
  if (dialog.kind === 'note') return <BackupNote {...shared} backup={dialog.backup} />
  return <DeleteDialog {...shared} backups={dialog.backups} onDeleted={onDeleted} />
}

export async function lockBackup(customerId: string, { id }: Backup, retained: boolean): Promise<void> {
  try {
    await changeBackup(customerId, id, { retained })
    toasts.ok(retained ? 'Backup locked.' : 'Backup unlocked.')
  } catch (error) {
    toasts.failed(changeFailure(error))
  }
}

const NOT_FOUND = 'This backup no longer exists. Somebody may have deleted it.'

const changeFailure = (error: unknown) => problemOf(error, `${refusalText(error)} ${consequenceText(error)}`)

function problemOf(error: unknown, otherText: string): string {
  if (isNotFound(error)) return NOT_FOUND
  if (error instanceof ApiError && error.status === 409)
    return 'This backup has been locked or changed meanwhile. The list has been reloaded.'
  return otherText
}

interface DialogProps {
  customerId: string
  backup: Backup
  onClose: () => void
  reload: () => Promise<void>
}

function DownloadDialog({ customerId, backup, onClose, reload }: DialogProps) {
  const facts = [
    { name: 'Device', value: backup.deviceName },
    { name: 'Taken', value: formatMoment(backup.backupDate) },
    { name: 'Size', value: backup.sizeBytes === null ? 'Unknown' : formatBytes(backup.sizeBytes) },
    {
      name: 'Checksum',
      value: backup.checksum ? <Copyable text={backup.checksum} label="Copy checksum" /> : 'None'
    }
  ]
  return (
    <ConfirmDialog
      title={`Download the backup of ${backup.deviceName}?`}
      confirmLabel="Download"
      onCancel={onClose}
      failureText={(error) => {
        void reload()
        return problemOf(error, failureOf(error).text)
      }}
      onConfirm={async () => {
        if (!(await isKept(customerId, backup))) throw new ApiError(404)
        download(calls.backupFile(customerId, backup.id))
        onClose()
        toasts.info(`The browser is fetching the backup of ${backup.deviceName}.`)
      }}
    >
      <Facts facts={facts} />
      <p>You need the station's passphrase to restore the backup. Compare the checksum after the download.</p>
    </ConfirmDialog>
  )
}

function BackupNote({ customerId, backup, onClose, reload }: DialogProps) {
  return (
    <NoteDialog
      title={`Note on the backup of ${backup.deviceName}`}
      text={backup.notes ?? ''}
      saveLabel="Save"
      failureText={changeFailure}
      reload={() => void reload()}
      onClose={onClose}
      onSave={async (notes) => {
        await changeBackup(customerId, backup.id, { notes })
        await reload()
        onClose()
        toasts.ok('Note saved.')
      }}
    />
  )
}

interface DeleteProps extends Omit<DialogProps, 'backup'> {
  backups: Backup[]
  onDeleted: (ids: string[]) => void
}

/** The person must type the device's name, or “delete 3” for three backups. Locked backups are not deleted. */
function DeleteDialog({ customerId, backups, onClose, onDeleted, reload }: DeleteProps) {
  const unlocked = backups.filter(({ retained }) => !retained)
  const [remainingBackups, setRemainingBackups] = useState(unlocked)
  const [failed, setFailed] = useState<ReadonlyMap<string, string>>(new Map())
  const locked = backups.length - unlocked.length
  const [first] = remainingBackups
  const typed =
    remainingBackups.length === 1 && first ? first.deviceName : `delete ${remainingBackups.length}`

  async function remove() {
    const deletedIds: string[] = []
    const failures = new Map<string, string>()
    for (const { id } of remainingBackups) {
      try {
        await deleteBackup(customerId, id)
        deletedIds.push(id)
      } catch (error) {
        // Somebody else has deleted this backup.
        if (isNotFound(error)) deletedIds.push(id)
        else failures.set(id, changeFailure(error))
      }
    }
    onDeleted(deletedIds)
    void reload()
    if (deletedIds.length > 0) toasts.ok(`${count(deletedIds.length, 'backup')} deleted.`)
    if (failures.size === 0) return onClose()
    setFailed(failures)
    setRemainingBackups(remainingBackups.filter(({ id }) => failures.has(id)))
  }

  return (
    <ConfirmDialog
      key={remainingBackups.length}
      title={
        remainingBackups.length === 1
          ? `Delete the backup of ${first?.deviceName}?`
          : `Delete ${remainingBackups.length} backups?`
      }
      confirmLabel={
        remainingBackups.length === 1 ? 'Delete backup' : `Delete ${remainingBackups.length} backups`
      }
      tone="danger"
      typed={typed}
      onConfirm={remove}
      onCancel={onClose}
    >
      <p>This cannot be undone. It does not affect the devices.</p>
      <ul className="lines plain-list">
        {remainingBackups.map((backup) => (
          <li key={backup.id}>
            <strong>{backup.deviceName}</strong>, {formatMoment(backup.backupDate)}
            {failed.has(backup.id) && <span className="field-error"> {failed.get(backup.id)}</span>}
          </li>
        ))}
      </ul>
      {locked > 0 && <p>{count(locked, 'locked backup')} will not be deleted.</p>}
    </ConfirmDialog>
  )
}
