import { useId, useState } from 'react'
import { UNSAVED_CHANGES } from '#shared/messages.ts'
import { Modal } from './modal.tsx'
import type { DirtyForm } from './unsaved-changes.tsx'

interface DialogProps {
  forms: readonly DirtyForm[]
  onLeave: () => void
  onStay: () => void
}

const UNSAVED = 'You have changes on this page that are not saved.'
const FINISHED_THERE = 'They can only be saved where they were made: Cancel leads back there.'

export default function UnsavedChangesDialog({ forms, onLeave, onStay }: DialogProps) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const unsavable = forms.find(({ save }) => save === undefined)
  const [{ text = UNSAVED } = {}] = forms
  const note = useId()

  async function leaveAfter(work: (form: DirtyForm) => Promise<void> | void, failed: string) {
    if (busy) return
    setBusy(true)
    setFailure(null)
    try {
      for (const form of forms) await work(form)
      onLeave()
    } catch {
      setFailure(failed)
      setBusy(false)
    }
  }

  return (
    <Modal title="Save your changes?" role="alertdialog" onClose={() => busy || onStay()}>
      <div className="modal-body">
        <p className="modal-text">{text}</p>
        {unsavable && (
          <p id={note} className="muted">
            {unsavable.missing ? `It cannot be saved yet: ${unsavable.missing}.` : FINISHED_THERE}
          </p>
        )}
        {failure && (
          <p className="field-error" role="alert">
            {failure}
          </p>
        )}
      </div>
      <div className="modal-actions">
        <button type="button" className="button" aria-disabled={busy} onClick={() => busy || onStay()}>
          Cancel
        </button>
        <button
          type="button"
          className="button"
          aria-disabled={busy}
          onClick={() => void leaveAfter((form) => form.discard?.(), UNSAVED_CHANGES.discardFailed)}
        >
          Discard
        </button>
        <button
          type="button"
          className="button primary"
          aria-disabled={busy || unsavable !== undefined}
          aria-busy={busy}
          aria-describedby={unsavable && note}
          onClick={() => unsavable || void leaveAfter((form) => form.save?.(), UNSAVED_CHANGES.saveFailed)}
        >
          Save
        </button>
      </div>
    </Modal>
  )
}
