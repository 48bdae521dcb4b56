import type { Export } from '#shared/answers/files.ts'
import { formatBytes } from '../../../lib/format.ts'
import { ApiError, failureOf, isNotFound, refusalText } from '../../../lib/http/api-error.ts'
import { consequenceText } from '../../../lib/http/consequence.ts'
import { download } from '../../../lib/http/request.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import type { Option } from '../../../ui/input/combobox.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { cancelExport, deleteExport, exportFilePath, readExport } from './api.ts'
import { NewExportDialog } from './new-export-dialog.tsx'

export type OpenDialog =
  | { kind: 'new'; like: Export | null }
  | { kind: 'download' | 'stop' | 'delete'; savedExport: Export }

interface ExportDialogsProps {
  dialog: OpenDialog
  organizationId: string | null
  /** The customers at which the person may start exports; null for all of the organization. */
  customers: readonly Option[] | null
  onClose: () => void
  onReload: () => void
}

const changeFailure = (error: unknown) => problemOf(error, `${refusalText(error)} ${consequenceText(error)}`)

function problemOf(error: unknown, otherText: string): string {
  if (isNotFound(error)) return 'This export no longer exists.'
  if (error instanceof ApiError && error.status === 410) return 'The file has expired. Run the export again.'
  if (error instanceof ApiError && error.status === 409)
    return 'This export has changed meanwhile. The list has been reloaded.'
  return otherText
}

export function ExportDialogs({ dialog, organizationId, customers, onClose, onReload }: ExportDialogsProps) {
  const succeed = (text: string) => {
    onReload()
    onClose()
    toasts.ok(text)
  }
  if (dialog.kind === 'new')
    return (
      <NewExportDialog
        organizationId={organizationId}
        customers={customers}
        onClose={onClose}
        onStarted={succeed}
        onReload={onReload}
        like={dialog.like}
      />
    )

  const { kind, savedExport } = dialog
  const { exportName, format, sizeBytes, timeZone } = savedExport
  const { text, ...confirm } = {
    download: {
      title: `Download “${exportName}”?`,
      confirmLabel: 'Download',
      text: `${format} file${sizeBytes === null ? '' : ` of about ${formatBytes(sizeBytes)}`}, times in ${timeZone}.`,
      async onConfirm() {
        const { status } = await readExport(savedExport)
        if (status !== 'READY') throw new ApiError(status === 'EXPIRED' ? 410 : 409)
        download(exportFilePath(savedExport))
        onClose()
        toasts.info(`The browser is downloading “${exportName}”.`)
      }
    },
    stop: {
      title: `Stop the export “${exportName}”?`,
      confirmLabel: 'Stop export',
      text: 'The part written so far is deleted. You can run the export again later.',
      async onConfirm() {
        await cancelExport(savedExport)
        succeed(`Export “${exportName}” stopped.`)
      }
    },
    delete: {
      title: `Delete the export “${exportName}”?`,
      confirmLabel: 'Delete export',
      text: 'The file is deleted too. The recorded histories are not deleted.',
      async onConfirm() {
        // If the export is missing, somebody else has deleted it.
        await deleteExport(savedExport).catch((error) => {
          if (!isNotFound(error)) throw error
        })
        succeed(`Export “${exportName}” deleted.`)
      }
    }
  }[kind]
  return (
    <ConfirmDialog
      {...confirm}
      tone={kind === 'delete' ? 'danger' : 'primary'}
      onCancel={onClose}
      failureText={(error) => {
        onReload()
        return kind === 'download' ? problemOf(error, failureOf(error).text) : changeFailure(error)
      }}
    >
      <p>{text}</p>
    </ConfirmDialog>
  )
}
