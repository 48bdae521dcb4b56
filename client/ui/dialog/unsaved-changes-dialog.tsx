import { useState } from 'react'
import { Modal } from './modal.tsx'
import type { DirtyForm } from './unsaved-changes.tsx'

export const UNSAVED_CHANGES = {
  saveFailed: 'A problem occurred while saving.',
  discardFailed: 'A problem occurred while discarding.'
} as const

interface DialogProps {
  forms: readonly DirtyForm[]
  onLeave: () => void
  onStay: () => void
}

const LEAVE: Required<Pick<DirtyForm, 'question' | 'text'>> = {
  question: 'Leave without saving?',
  text: 'What you have entered here will be lost.'
}

export default function UnsavedChangesDialog({ forms, onLeave, onStay }: DialogProps) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const unsavableForm = forms.find(({ save }) => save === undefined)
  const { question, text } = { ...LEAVE, ...unsavableForm }
  const stay = () => busy || onStay()

  async function leaveAfter(work: (form: DirtyForm) => Promise<void> | void, failureText: string) {
    if (busy) return
    setBusy(true)
    setFailure(null)
    try {
      for (const form of forms) await work(form)
      onLeave()
    } catch {
      setFailure(failureText)
      setBusy(false)
    }
  }
  const save = () => leaveAfter((form) => form.save?.(), UNSAVED_CHANGES.saveFailed)
  const discard = () => leaveAfter((form) => form.discard?.(), UNSAVED_CHANGES.discardFailed)

  return (
    <Modal title={unsavableForm ? question : 'Save your changes?'} role="alertdialog" onClose={stay}>
      <div className="modal-body">
        <p className="modal-text">
          {unsavableForm ? text : 'You have changes on this page that are not saved.'}
        </p>
        {failure && (
          <p className="field-error" role="alert">
            {failure}
          </p>
        )}
      </div>
      <div className="row modal-actions">
        <button type="button" className="button" aria-disabled={busy} onClick={stay}>
          {unsavableForm ? 'Stay' : 'Cancel'}
        </button>
        <button
          type="button"
          className={unsavableForm ? 'button danger' : 'button'}
          aria-disabled={busy}
          onClick={discard}
        >
          {unsavableForm ? 'Leave' : 'Discard'}
        </button>
        {!unsavableForm && (
          <button
            type="button"
            className="button primary"
            aria-disabled={busy}
            aria-busy={busy}
            onClick={save}
          >
            Save
          </button>
        )}
      </div>
    </Modal>
  )
}
