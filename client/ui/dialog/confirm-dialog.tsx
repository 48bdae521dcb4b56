import { type ReactNode, useState } from 'react'
import { TextField } from '../input/field.tsx'
import { FormDialog } from './form-dialog.tsx'

interface ConfirmDialogProps {
  /** A question that names the deed and its object. */
  title: string
  /** The verb, with a count for several ("Delete 3 backups"). */
  confirmLabel: string
  tone?: 'primary' | 'danger'
  /** What has to be typed first, for what cannot be taken back. */
  typed?: string
  /** What follows from it. */
  children: ReactNode
  /** While its promise is open the dialog waits; what it rejects with is said in the dialog. */
  onConfirm: () => Promise<void> | void
  onCancel: () => void
  /** Why it cannot be confirmed as things are. */
  refusal?: string | null
  /** The words for a failure; without, the dialog says that it did not work. */
  failureText?: (error: unknown) => string
}

/** Escape cancels, Enter confirms, and the confirming button never says cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, confirmLabel, tone, typed, children, onConfirm, onCancel, refusal, failureText } = props
  const [text, setText] = useState('')
  if (/cancel/i.test(confirmLabel)) throw new Error('a confirming button must not say cancel')
  return (
    <FormDialog
      title={title}
      role="alertdialog"
      tone={tone}
      saveLabel={confirmLabel}
      ready={!refusal && (typed === undefined || text.trim() === typed.trim())}
      enter
      onSave={onConfirm}
      onClose={onCancel}
      failureText={failureText}
    >
      <div className="modal-text">{children}</div>
      {typed !== undefined && (
        <TextField
          label={`Type “${typed}” to confirm`}
          value={text}
          onChange={setText}
          autoFocus
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {refusal && <p className="field-error">{refusal}</p>}
    </FormDialog>
  )
}
