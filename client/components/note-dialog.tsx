import { type ReactNode, useState } from 'react'
import { DESCRIPTION_MAX_CHARACTERS } from '#shared/limits.ts'
import { description, lengthOf } from '#shared/validation.ts'
import { TextArea } from './field.tsx'
import { Modal } from './modal.tsx'

interface NoteDialogProps {
  title: string
  /** What is there to be changed; a new note begins empty. */
  text?: string
  saveLabel: string
  /** What a first try left to be told. */
  children?: ReactNode
  /** Rejects when it did not work; what is typed stays. */
  onSave: (text: string) => Promise<void>
  onClose: () => void
  failureText: (error: unknown) => string
}

export function NoteDialog(props: NoteDialogProps) {
  const { title, text: before = '', saveLabel, children, onSave, onClose, failureText } = props
  const [text, setText] = useState(before)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const problem = description(text)
  const ready = text.trim() !== before && !problem && !busy

  async function save() {
    if (!ready) return
    setBusy(true)
    setFailure(null)
    try {
      await onSave(text.trim())
    } catch (error) {
      setFailure(failureText(error))
    }
    setBusy(false)
  }

  return (
    <Modal title={title} onClose={() => busy || onClose()}>
      <div className="modal-body">
        <TextArea
          label="Note"
          value={text}
          onChange={setText}
          autoFocus
          error={problem}
          help={`${lengthOf(text)} of ${DESCRIPTION_MAX_CHARACTERS} characters`}
        />
        {children}
        {failure && (
          <p className="field-error" role="alert">
            {failure}
          </p>
        )}
      </div>
      <div className="modal-actions">
        <button type="button" className="button" onClick={() => busy || onClose()}>
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
