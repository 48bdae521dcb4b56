import { type ReactNode, useState } from 'react'
import { REPORT_NAME_MAX_CHARACTERS } from '#shared/limits.ts'
import { freeName } from '#shared/validation.ts'
import { TextField } from './field.tsx'
import { Modal } from './modal.tsx'

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
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const problem = freeName(text)
  const ready = !busy && problem === null && text.trim() !== ''

  async function save() {
    if (!ready) return
    setBusy(true)
    setFailure(null)
    try {
      await onSave(text.trim())
    } catch (error) {
      setFailure(failureText(error))
      setBusy(false)
    }
  }

  return (
    <Modal title={title} onClose={() => busy || onCancel()} onEnter={() => void save()}>
      <div className="modal-body">
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
        {failure && (
          <p className="field-error" role="alert">
            {failure}
          </p>
        )}
      </div>
      <div className="modal-actions">
        <button type="button" className="button" aria-disabled={busy} onClick={() => busy || onCancel()}>
          Cancel
        </button>
        <button
          type="button"
          className="button primary"
          aria-disabled={!ready}
          aria-busy={busy}
          onClick={() => void save()}
        >
          {saveLabel}
        </button>
      </div>
    </Modal>
  )
}
