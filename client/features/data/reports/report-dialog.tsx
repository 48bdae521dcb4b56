import { type ReactNode, useState } from 'react'
import { REPORT_NAME_MAX_CHARACTERS } from '#shared/limits.ts'
import { refusalText } from '../../../lib/http/api-error.ts'
import { consequenceText } from '../../../lib/http/consequence.ts'
import { paths } from '../../../lib/paths.ts'
import { freeName } from '../../../lib/validation.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../../ui/input/field.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import type { Customer } from '../../sites/customers/customer.tsx'
import { useReportChanges } from './api.ts'
import { copyName, type Report, type ReportBody, reportBody } from './report.ts'

interface ReportDialogProps {
  title: string
  saveLabel: string
  name: string
  /** The verb of the failure message, such as "saved". */
  verb: string
  children?: ReactNode
  onSave: (name: string) => Promise<void>
  onClose: () => void
}

function ReportDialog({ name, verb, children, onSave, ...dialog }: ReportDialogProps) {
  const [text, setText] = useState(name)
  const problem = freeName(text)
  return (
    <FormDialog
      {...dialog}
      ready={problem === null && text.trim() !== ''}
      edited={text.trim() !== name.trim()}
      enter
      onSave={() => onSave(text.trim())}
      failureText={failed(verb)}
    >
      <TextField
        label="Report name"
        bodyField="reportName"
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

export const failed = (verb: string) => (error: unknown) =>
  `${consequenceText(error, `The report was not ${verb}.`, `The report may not have been ${verb}.`)} ${refusalText(error)}`

interface SaveReportDialogProps {
  area: Pick<Customer, 'customerId' | 'customerPath' | 'orgName'>
  bodyOf: (name: string) => ReportBody
  children?: ReactNode
  onSaved?: (reportId: string) => void
  onClose: () => void
}

/** Asks for the name of a new report, and saves the report. */
export function SaveReportDialog({ area, bodyOf, children, onSaved, onClose }: SaveReportDialogProps) {
  const { create } = useReportChanges({ id: area.customerId, orgName: area.orgName ?? '' })
  return (
    <ReportDialog
      title="Save as report"
      saveLabel="Save"
      name=""
      verb="saved"
      onClose={onClose}
      onSave={async (name) => {
        const reportId = await create(bodyOf(name))
        onClose()
        const action = { label: 'Open', to: paths.report(area.customerPath, reportId) }
        toasts.ok(`Report '${name}' saved.`, action)
        onSaved?.(reportId)
      }}
    >
      {children}
    </ReportDialog>
  )
}

export interface ReportChange {
  kind: 'rename' | 'duplicate' | 'delete'
  report: Report
}

interface ReportDialogsProps extends ReportChange {
  /** The names of all reports. */
  names: readonly string[]
  onClose: () => void
}

export function ReportDialogs({ kind, report, names, onClose }: ReportDialogsProps) {
  const { reportId, reportName, points, filter, range } = report
  const { create, change, remove } = useReportChanges({ id: report.customerId, orgName: report.customerName })

  function finish(name: string, verb: string) {
    onClose()
    toasts.ok(`Report '${name}' ${verb}.`)
  }

  if (kind === 'delete')
    return (
      <ConfirmDialog
        title="Delete this report?"
        confirmLabel="Delete report"
        tone="danger"
        onCancel={onClose}
        failureText={failed('deleted')}
        onConfirm={async () => {
          await remove(reportId)
          finish(reportName, 'deleted')
        }}
      >
        <p>
          <strong>{reportName}</strong> is deleted for everybody. The recorded values are kept. This cannot be
          undone.
        </p>
      </ConfirmDialog>
    )
  const label = kind === 'rename' ? 'Rename' : 'Duplicate'
  return (
    <ReportDialog
      title={`${label} report`}
      saveLabel={label}
      name={kind === 'rename' ? reportName : copyName(reportName, names, REPORT_NAME_MAX_CHARACTERS)}
      verb={`${kind}d`}
      onClose={onClose}
      onSave={async (name) => {
        if (kind === 'rename') await change(reportId, { reportName: name })
        else await create(reportBody(name, points, filter, range))
        finish(name, `${kind}d`)
      }}
    />
  )
}
