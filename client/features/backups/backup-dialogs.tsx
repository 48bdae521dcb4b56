import { useState } from 'react'
import type { Backup } from '#shared/answers/files.ts'
import { count, formatBytes } from '../../lib/format.ts'
import { ApiError, failureOf, isNotFound } from '../../lib/http/api-error.ts'
import { useRefresh } from '../../lib/http/query.ts'
import { download } from '../../lib/http/request.ts'
import { formatMoment } from '../../lib/time/time.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { NoteDialog } from '../../ui/dialog/note-dialog.tsx'
import { Copyable } from '../../ui/input/copy-button.tsx'
import { Facts } from '../../ui/list/card-list.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import { backupPath, backupsPath, changeBackup, deleteBackup, isKept } from './api.ts'

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
  const reload = () => refresh(backupsPath(customerId))
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
    toasts.failed(problemOf(error))
  }
}

const GONE = 'This backup is no longer there. Somebody may have deleted it.'

function problemOf(error: unknown): string {
  if (isNotFound(error)) return GONE
  if (error instanceof ApiError && error.status === 409)
    return 'This backup has been locked or changed meanwhile. The list has been read again.'
  return failureOf(error).text
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
        return problemOf(error)
      }}
      onConfirm={async () => {
        if (!(await isKept(customerId, backup))) throw new ApiError(404)
        download(`${backupPath(customerId, backup.id)}/download`)
        onClose()
        toasts.info(`The browser is fetching the backup of ${backup.deviceName}.`)
      }}
    >
      <Facts facts={facts} />
      <p>You need the station's passphrase to restore it. Compare the checksum after the download.</p>
    </ConfirmDialog>
  )
}

function BackupNote({ customerId, backup, onClose, reload }: DialogProps) {
  return (
    <NoteDialog
      title={`Note on the backup of ${backup.deviceName}`}
      text={backup.notes ?? ''}
      saveLabel="Save"
      failureText={problemOf}
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

/** Requires typing a name or number. Leaves out locked backups. */
function DeleteDialog({ customerId, backups, onClose, onDeleted, reload }: DeleteProps) {
  const open = backups.filter(({ retained }) => !retained)
  const [left, setLeft] = useState(open)
  const [failed, setFailed] = useState<ReadonlyMap<string, string>>(new Map())
  const locked = backups.length - open.length
  const [first] = left
  const typed = left.length === 1 && first ? first.deviceName : `delete ${left.length}`

  async function remove() {
    const done: string[] = []
    const refused = new Map<string, string>()
    for (const { id } of left) {
      try {
        await deleteBackup(customerId, id)
        done.push(id)
      } catch (error) {
        // Somebody else has deleted it.
        if (isNotFound(error)) done.push(id)
        else refused.set(id, problemOf(error))
      }
    }
    onDeleted(done)
    void reload()
    if (done.length > 0) toasts.ok(`${count(done.length, 'backup')} deleted.`)
    if (refused.size === 0) return onClose()
    setFailed(refused)
    setLeft(left.filter(({ id }) => refused.has(id)))
  }

  return (
    <ConfirmDialog
      key={left.length}
      title={
        left.length === 1 ? `Delete the backup of ${first?.deviceName}?` : `Delete ${left.length} backups?`
      }
      confirmLabel={left.length === 1 ? 'Delete backup' : `Delete ${left.length} backups`}
      tone="danger"
      typed={typed}
      onConfirm={remove}
      onCancel={onClose}
    >
      <p>This cannot be undone. It does not affect the devices.</p>
      <ul className="lines plain-list">
        {left.map((backup) => (
          <li key={backup.id}>
            <strong>{backup.deviceName}</strong>, {formatMoment(backup.backupDate)}
            {failed.has(backup.id) && <span className="field-error"> {failed.get(backup.id)}</span>}
          </li>
        ))}
      </ul>
      {locked > 0 && <p>{count(locked, 'locked backup')} left out.</p>}
    </ConfirmDialog>
  )
}
