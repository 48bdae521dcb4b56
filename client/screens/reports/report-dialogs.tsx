import { REPORT_NAME_MAX_CHARACTERS } from '#shared/limits.ts'
import { failureOf } from '../../api/api-error.ts'
import { changeReport, createReport, deleteReport } from '../../api/reports.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { ReportDialog } from '../../components/report-dialog.tsx'
import { copyName, reportBody } from '../../lib/report.ts'
import { toasts } from '../../lib/toasts.ts'
import type { ReportDeed } from './report-columns.tsx'

interface ReportDialogsProps {
  deed: ReportDeed
  /** Of all reports, so that a copy has a name of its own. */
  names: readonly string[]
  onDone: () => void
  onChanged: () => Promise<void>
}

const failed = (what: string) => (error: unknown) =>
  `${what} ${failureOf(error).title}. ${failureOf(error).text}`

export function ReportDialogs({ deed: { kind, report }, names, onDone, onChanged }: ReportDialogsProps) {
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
