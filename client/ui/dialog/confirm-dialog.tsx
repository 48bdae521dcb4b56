import { type ReactNode, useState } from 'react'
import { TextField } from '../input/field.tsx'
import { FormDialog } from './form-dialog.tsx'
import type { DirtyForm } from './unsaved-changes.tsx'

interface ConfirmDialogProps {
  title: string
  /** A verb, such as "Delete 3 backups". */
  confirmLabel: string
  tone?: 'primary' | 'danger'
  /** The text to type first, for actions that cannot be undone. */
  typed?: string
  children: ReactNode
  /** If the promise rejects, the dialog shows an error. */
  onConfirm: () => Promise<void> | void
  onCancel: () => void
  refusal?: string | null
  reload?: () => void
  failureText?: (error: unknown) => string
  /** Replaces parts of the question that leaving the page asks while the dialog sends. */
  whileSending?: DirtyForm
}

/** The text as it is displayed: some names contain spaces or accents that a keyboard does not type. */
const plain = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim()

/** Escape cancels, Enter confirms, and the confirming button never says cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, confirmLabel, tone, typed, children, onConfirm, onCancel, refusal } = props
  const { reload, failureText, whileSending } = props
  const [text, setText] = useState('')
  if (/cancel/i.test(confirmLabel)) throw new Error('a confirming button must not say cancel')
  return (
    <FormDialog
      title={title}
      role="alertdialog"
      tone={tone}
      saveLabel={confirmLabel}
      ready={!refusal && (typed === undefined || plain(text) === plain(typed))}
      enter
      onSave={onConfirm}
      onClose={onCancel}
      reload={reload}
      failureText={failureText}
      whileSending={whileSending}
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
