import { type ReactNode, useState } from 'react'
import { REPORT_NAME_MAX_CHARACTERS } from '#shared/limits.ts'
import { freeName } from '#shared/validation.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { TextField } from '../../ui/input/field.tsx'

interface ReportDialogProps {
  title: string
  saveLabel: string
  name: string
  /** What else is decided about the report. */
  children?: ReactNode
  /** What it rejects with is said in the dialog. */
  onSave: (name: string) => Promise<void>
  onCancel: () => void
  failureText: (error: unknown) => string
}

/** Names a report. Save waits for a name that can be kept. */
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
