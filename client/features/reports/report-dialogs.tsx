import { REPORT_NAME_MAX_CHARACTERS } from '#shared/limits.ts'
import { failureOf } from '../../lib/http/api-error.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import { changeReport, createReport, deleteReport } from './api.ts'
import { copyName, type Report, reportBody } from './report.ts'
import { ReportDialog } from './report-dialog.tsx'

export interface ReportChange {
  kind: 'rename' | 'duplicate' | 'delete'
  report: Report
}

interface ReportDialogsProps extends ReportChange {
  /** Of all reports, so that a copy has a name of its own. */
  names: readonly string[]
  onDone: () => void
  onChanged: () => Promise<void>
}

const failed = (what: string) => (error: unknown) =>
  `${what} ${failureOf(error).title}. ${failureOf(error).text}`

export function ReportDialogs({ kind, report, names, onDone, onChanged }: ReportDialogsProps) {
  const { customerId, reportId, reportName } = report

  async function finish(text: string) {
    await onChanged()
    onDone()
    toasts.ok(text)
  }

  if (kind === 'delete')
    return (
      <ConfirmDialog
        title="Delete this report?"
        confirmLabel="Delete report"
        tone="danger"
        onCancel={onDone}
        failureText={failed('The report was not deleted.')}
        onConfirm={async () => {
          await deleteReport(customerId, reportId)
          await finish(`Report '${reportName}' deleted.`)
        }}
      >
        <p>
          <strong>{reportName}</strong> goes for everybody who uses it. The recorded values stay. This cannot
          be undone.
        </p>
      </ConfirmDialog>
    )
  if (kind === 'rename')
    return (
      <ReportDialog
        title="Rename report"
        saveLabel="Rename"
        name={reportName}
        onCancel={onDone}
        failureText={failed('The report was not renamed.')}
        onSave={async (name) => {
          await changeReport(customerId, reportId, { reportName: name })
          await finish(`Report '${name}' renamed.`)
        }}
      />
    )
  return (
    <ReportDialog
      title="Duplicate report"
      saveLabel="Duplicate"
      name={copyName(reportName, names, REPORT_NAME_MAX_CHARACTERS)}
      onCancel={onDone}
      failureText={failed('The report was not duplicated.')}
      onSave={async (name) => {
        await createReport(customerId, reportBody(name, report.points, report.filter, report.range))
        await finish(`Report '${name}' saved.`)
      }}
    />
  )
}
