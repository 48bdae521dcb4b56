import { type ReactNode, useState } from 'react'
import { REPORT_NAME_MAX_CHARACTERS } from '#shared/limits.ts'
import { freeName } from '#shared/validation.ts'
import { failureOf } from '../../lib/http/api-error.ts'
import { paths } from '../../lib/paths.ts'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../ui/input/field.tsx'
import { toasts } from '../../ui/state/toasts.ts'
import type { Customer } from '../customers/customer.ts'
import { useReportChanges } from './api.ts'
import { copyName, type Report, type ReportBody, reportBody } from './report.ts'

interface ReportDialogProps {
  title: string
  saveLabel: string
  name: string
  children?: ReactNode
  onSave: (name: string) => Promise<void>
  onCancel: () => void
  failureText: (error: unknown) => string
}

function ReportDialog(props: ReportDialogProps) {
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

const failed = (what: string) => (error: unknown) =>
  `The report was not ${what}. ${failureOf(error).title}. ${failureOf(error).text}`

interface SaveReportDialogProps {
  area: Pick<Customer, 'customerId' | 'customerPath' | 'orgName'>
  bodyOf: (name: string) => ReportBody
  children?: ReactNode
  onSaved?: (reportId: string) => void
  onClose: () => void
}

/** Asks for the name of a new report, and saves it. */
export function SaveReportDialog({ area, bodyOf, children, onSaved, onClose }: SaveReportDialogProps) {
  const { create } = useReportChanges()
  return (
    <ReportDialog
      title="Save as report"
      saveLabel="Save"
      name=""
      onCancel={onClose}
      failureText={failed('saved')}
      onSave={async (name) => {
        const customer = { id: area.customerId, orgName: area.orgName ?? '' }
        const reportId = await create(customer, bodyOf(name))
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
  onDone: () => void
}

export function ReportDialogs({ kind, report, names, onDone }: ReportDialogsProps) {
  const { reportId, reportName, points, filter, range } = report
  const customer = { id: report.customerId, orgName: report.customerName }
  const changes = useReportChanges()

  function finish(name: string, what: string) {
    onDone()
    toasts.ok(`Report '${name}' ${what}.`)
  }

  if (kind === 'delete')
    return (
      <ConfirmDialog
        title="Delete this report?"
        confirmLabel="Delete report"
        tone="danger"
        onCancel={onDone}
        failureText={failed('deleted')}
        onConfirm={async () => {
          await changes.remove(customer, reportId)
          finish(reportName, 'deleted')
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
        failureText={failed('renamed')}
        onSave={async (name) => {
          await changes.change(customer, reportId, { reportName: name })
          finish(name, 'renamed')
        }}
      />
    )
  return (
    <ReportDialog
      title="Duplicate report"
      saveLabel="Duplicate"
      name={copyName(reportName, names, REPORT_NAME_MAX_CHARACTERS)}
      onCancel={onDone}
      failureText={failed('duplicated')}
      onSave={async (name) => {
        await changes.create(customer, reportBody(name, points, filter, range))
        finish(name, 'saved')
      }}
    />
  )
}
