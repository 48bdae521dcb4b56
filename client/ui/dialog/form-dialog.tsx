import { type ReactNode, useState } from 'react'
import { fieldReasonsOf, refusalText } from '../../lib/http/api-error.ts'
import { FieldReasonsContext } from '../input/field.tsx'
import { Modal } from './modal.tsx'
import { useUnsavedChanges } from './unsaved-changes.tsx'

interface FormDialogProps {
  title: string
  about?: ReactNode
  saveLabel: string
  kind?: 'dialog' | 'wide'
  /** `alertdialog` for questions. */
  role?: 'dialog' | 'alertdialog'
  tone?: 'primary' | 'danger' | undefined
  ready: boolean
  /** Whether closing the dialog or leaving the page would lose input, so that the dialog asks first. */
  edited?: boolean
  /** Whether Enter saves, except in a multi-line text. */
  enter?: boolean
  note?: ReactNode
  children: ReactNode
  /** If the promise rejects, the dialog shows an error. */
  onSave: () => Promise<void> | void
  onClose: () => void
  failureText?: ((error: unknown) => ReactNode) | undefined
}

export function FormDialog(props: FormDialogProps) {
  const {
    title,
    about,
    saveLabel,
    kind,
    role,
    tone = 'primary',
    ready,
    edited,
    enter,
    note,
    children
  } = props
  const { onSave, onClose, failureText } = props
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ReactNode>(null)
  const [reasons, setReasons] = useState(fieldReasonsOf(null))
  const cannotSave = !ready || busy
  const hasChanges = edited && !busy
  const close = () => busy || onClose()
  useUnsavedChanges(hasChanges ? {} : null)

  async function save() {
    if (cannotSave) return
    setFailure(null)
    try {
      const work = onSave()
      if (!work) return
      setBusy(true)
      await work
    } catch (error) {
      setFailure(failureText?.(error) ?? `${refusalText(error)} Nothing was changed.`)
      setReasons(fieldReasonsOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Modal
      title={title}
      about={about}
      kind={kind}
      role={role}
      onClose={close}
      edited={hasChanges}
      onEnter={enter ? save : undefined}
    >
      <div className="modal-body">
        <FieldReasonsContext value={reasons}>{children}</FieldReasonsContext>
        {failure && (
          <p className="field-error" role="alert">
            {failure}
          </p>
        )}
      </div>
      <div className="row modal-actions">
        {note}
        <button type="button" className="button" aria-disabled={busy} onClick={close}>
          Cancel
        </button>
        <button
          type="button"
          className={`button ${tone}`}
          aria-disabled={cannotSave}
          aria-busy={busy}
          onClick={save}
        >
          {saveLabel}
        </button>
      </div>
    </Modal>
  )
}
