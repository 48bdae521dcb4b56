import { type ReactNode, useState } from 'react'
import { TextField } from './field.tsx'
import { Modal } from './modal.tsx'

interface ConfirmDialogProps {
  /** A question that names the deed and its object. */
  title: string
  /** The verb, with a count for several ("Delete 3 backups"). */
  confirmLabel: string
  tone?: 'plain' | 'danger'
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

const DID_NOT_WORK = 'That did not work. Nothing was changed. Try again.'

/** §5: Escape cancels, Enter confirms, and the confirming button never says cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    confirmLabel,
    tone = 'plain',
    typed,
    children,
    onConfirm,
    onCancel,
    refusal,
    failureText
  } = props
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  if (/cancel/i.test(confirmLabel)) throw new Error('a confirming button must not say cancel')
  const ready = !busy && !refusal && (typed === undefined || text.trim() === typed.trim())

  async function confirm() {
    if (!ready) return
    setFailure(null)
    try {
      const work = onConfirm()
      if (!work) return
      setBusy(true)
      await work
    } catch (error) {
      setFailure(failureText?.(error) ?? DID_NOT_WORK)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Modal title={title} role="alertdialog" onClose={() => busy || onCancel()} onEnter={() => void confirm()}>
      <div className="modal-body">
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
          className={`button ${tone === 'danger' ? 'danger' : 'primary'}`}
          aria-disabled={!ready}
          aria-busy={busy}
          onClick={() => void confirm()}
        >
          {confirmLabel}
        </button>
      </div>
    </Modal>
  )
}
