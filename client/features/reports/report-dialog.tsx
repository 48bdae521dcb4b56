import { type ReactNode, useState } from 'react'
import { REPORT_NAME_MAX_CHARACTERS } from '#shared/limits.ts'
import { freeName } from '#shared/validation.ts'
import { failureOf } from '../../lib/http/api-error.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../ui/input/field.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import { useReportChanges } from './api.ts'
import { copyName, type Report, reportBody } from './report.ts'

interface ReportDialogProps {
  title: string
  saveLabel: string
  name: string
  children?: ReactNode
  onSave: (name: string) => Promise<void>
  onCancel: () => void
  failureText: (error: unknown) => string
}

export function ReportDialog(props: ReportDialogProps) {
  const { title, saveLabel, name, children, onSave, onCancel, failureText } = props
  const [text, setText] = useState(name)
  const problem = freeName(text)
  return (
    <FormDialog
      title={title}
      saveLabel={saveLabel}
      ready={problem === null && text.trim() !== ''}
      edited={text.trim() !== name.trim()}
      enter
      onSave={() => onSave(text.trim())}
      onClose={onCancel}
      failureText={failureText}
    >
      <TextField
        label="Report name"
        value={text}
        onChange={setText}
        error={problem}
        help={`1 to ${REPORT_NAME_MAX_CHARACTERS} characters`}
        autoFocus
        autoComplete="off"
      />
      {children}
    </FormDialog>
  )
}

export interface ReportChange {
  kind: 'rename' | 'duplicate' | 'delete'
  report: Report
}

interface ReportDialogsProps extends ReportChange {
  /** The names of all reports. */
  names: readonly string[]
  onDone: () => void
}

const failed = (what: string) => (error: unknown) =>
  `${what} ${failureOf(error).title}. ${failureOf(error).text}`

export function ReportDialogs({ kind, report, names, onDone }: ReportDialogsProps) {
  const { reportId, reportName } = report
  const customer = { id: report.customerId, orgName: report.customerName }
  const changes = useReportChanges()

  function finish(text: string) {
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
          await changes.remove(customer, reportId)
          finish(`Report '${reportName}' deleted.`)
        }}
      >
        <p>
          <strong>{reportName}</strong> is deleted for everybody. The recorded values stay. This cannot be
          undone.
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
          await changes.change(customer, reportId, { reportName: name })
          finish(`Report '${name}' renamed.`)
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
        await changes.create(customer, reportBody(name, report.points, report.filter, report.range))
        finish(`Report '${name}' saved.`)
      }}
    />
  )
}
