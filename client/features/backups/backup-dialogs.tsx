import { useEffect, useEffectEvent, useState } from 'react'
import { count, formatBytes } from '../../lib/format.ts'
import { ApiError, failureOf, isNotFound } from '../../lib/http/api-error.ts'
import { useRefresh } from '../../lib/http/query.ts'
import { download } from '../../lib/http/request.ts'
import { formatMoment } from '../../lib/time/time.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { NoteDialog } from '../../ui/dialog/note-dialog.tsx'
import { CopyButton } from '../../ui/input/copy-button.tsx'
import { Facts } from '../../ui/list/card-list.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import { type Backup, backupPath, backupsPath, changeBackup, deleteBackup, isKept } from './api.ts'

export type OpenDialog =
  | { kind: 'download'; backup: Backup }
  | { kind: 'note'; backup: Backup }
  | { kind: 'lock'; backup: Backup; retained: boolean }
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
  if (dialog.kind === 'download') {
    return <DownloadDialog customerId={customerId} backup={dialog.backup} onClose={onClose} onGone={reload} />
  }
  if (dialog.kind === 'note') {
    return <BackupNote customerId={customerId} backup={dialog.backup} onClose={onClose} onSaved={reload} />
  }
  if (dialog.kind === 'lock') {
    return (
      <LockBackup
        customerId={customerId}
        backup={dialog.backup}
        retained={dialog.retained}
        onDone={() => void reload().finally(onClose)}
      />
    )
  }
  return (
    <DeleteDialog
      customerId={customerId}
      backups={dialog.backups}
      onClose={onClose}
      onDeleted={(ids) => {
        onDeleted(ids)
        void reload()
      }}
    />
  )
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
}

function DownloadDialog({ customerId, backup, onClose, onGone }: DialogProps & { onGone: () => void }) {
  const facts = [
    { name: 'Device', value: backup.deviceName },
    { name: 'Taken', value: formatMoment(backup.backupDate) },
    { name: 'Size', value: backup.sizeBytes === null ? 'Unknown' : formatBytes(backup.sizeBytes) },
    {
      name: 'Checksum',
      value: backup.checksum ? (
        <span className="checksum">
          <span className="mono">{backup.checksum}</span>
          <CopyButton text={backup.checksum} label="Copy checksum" />
        </span>
      ) : (
        'None'
      )
    }
  ]
  return (
    <ConfirmDialog
      title={`Download the backup of ${backup.deviceName}?`}
      confirmLabel="Download"
      onCancel={onClose}
      failureText={(error) => {
        onGone()
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

function BackupNote({
  customerId,
  backup,
  onClose,
  onSaved
}: DialogProps & { onSaved: () => Promise<void> }) {
  return (
    <NoteDialog
      title={`Note on the backup of ${backup.deviceName}`}
      text={backup.notes ?? ''}
      saveLabel="Save"
      failureText={problemOf}
      onClose={onClose}
      onSave={async (notes) => {
        await changeBackup(customerId, backup.id, { notes })
        await onSaved()
        onClose()
        toasts.ok('Note saved.')
      }}
    />
  )
}

interface LockProps {
  customerId: string
  backup: Backup
  retained: boolean
  onDone: () => void
}

/** Nothing to confirm: it can be taken back in the same place. */
function LockBackup({ customerId, backup, retained, onDone }: LockProps) {
  const change = useEffectEvent(async () => {
    try {
      await changeBackup(customerId, backup.id, { retained })
      toasts.ok(retained ? 'Backup locked.' : 'Backup unlocked.')
    } catch (error) {
      toasts.failed(problemOf(error))
    }
    onDone()
  })
  useEffect(() => void change(), [])
  return null
}

interface DeleteProps {
  customerId: string
  backups: Backup[]
  onClose: () => void
  onDeleted: (ids: string[]) => void
}

/** What cannot be taken back is typed first. Locked ones are left out and said so. */
function DeleteDialog({ customerId, backups, onClose, onDeleted }: DeleteProps) {
  const [left, setLeft] = useState(backups.filter(({ retained }) => !retained))
  const [failed, setFailed] = useState<{ backup: Backup; why: string }[]>([])
  const locked = backups.length - backups.filter(({ retained }) => !retained).length
  const [first] = left
  const typed = left.length === 1 && first ? first.deviceName : `delete ${left.length}`

  async function remove() {
    const done: string[] = []
    const refused: { backup: Backup; why: string }[] = []
    for (const backup of left) {
      try {
        await deleteBackup(customerId, backup.id)
        done.push(backup.id)
      } catch (error) {
        // Gone is what was wanted.
        if (isNotFound(error)) done.push(backup.id)
        else refused.push({ backup, why: problemOf(error) })
      }
    }
    onDeleted(done)
    if (done.length > 0) toasts.ok(`${count(done.length, 'backup')} deleted.`)
    if (refused.length === 0) return onClose()
    setFailed(refused)
    setLeft(refused.map(({ backup }) => backup))
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
      <p>
        Deleted backups cannot be brought back, and the {left.length === 1 ? 'device keeps' : 'devices keep'}{' '}
        running.
      </p>
      <ul className="plain-list">
        {left.map((backup) => (
          <li key={backup.id}>
            <strong>{backup.deviceName}</strong>, {formatMoment(backup.backupDate)}
            {failed.find((one) => one.backup.id === backup.id) && (
              <span className="field-error"> {failed.find((one) => one.backup.id === backup.id)?.why}</span>
            )}
          </li>
        ))}
      </ul>
      {locked > 0 && <p>{count(locked, 'locked backup')} left out.</p>}
    </ConfirmDialog>
  )
}
