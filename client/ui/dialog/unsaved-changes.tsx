// A dialog with Save, Discard and Cancel when a person leaves a form that has changes.
import { createContext, type ReactNode, useContext, useEffect, useId, useState } from 'react'
import { useBlocker } from 'react-router-dom'
import { UNSAVED_CHANGES } from '#shared/messages.ts'
import { browser, listen } from '../../lib/browser.ts'
import { Modal } from './modal.tsx'

export interface DirtyForm {
  /** Replaces the general question. */
  text?: string
  /** Resolves once the changes are saved. Undefined if they cannot be saved. */
  save?: () => Promise<void>
  missing?: string
  discard?: () => Promise<void> | void
  /** Whether a path belongs to the same form, such as the form's next step. */
  keeps?: (pathname: string) => boolean
}

const FormsContext = createContext(new Map<string, DirtyForm>())

/** Asks before changes of the form are lost. Pass null while there are no changes. */
export function useUnsavedChanges(form: DirtyForm | null): void {
  const forms = useContext(FormsContext)
  const id = useId()
  useEffect(() => {
    if (form) forms.set(id, form)
    return () => void forms.delete(id)
  })
}

export function UnsavedChangesGuard({ children }: { children: ReactNode }) {
  const [forms] = useState(() => new Map<string, DirtyForm>())
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      browser.guarded &&
      currentLocation.pathname !== nextLocation.pathname &&
      [...forms.values()].some((form) => !form.keeps?.(nextLocation.pathname))
  )
  useEffect(
    () =>
      listen(window, {
        beforeunload: (event) => browser.guarded && forms.size > 0 && event.preventDefault()
      }),
    [forms]
  )
  return (
    <FormsContext value={forms}>
      {children}
      {blocker.state === 'blocked' && (
        <UnsavedChangesDialog
          forms={[...forms.values()]}
          onLeave={() => {
            forms.clear()
            blocker.proceed()
          }}
          onStay={() => blocker.reset()}
        />
      )}
    </FormsContext>
  )
}

interface DialogProps {
  forms: readonly DirtyForm[]
  onLeave: () => void
  onStay: () => void
}

const UNSAVED = 'You have changes on this page that are not saved.'
const SAVED_THERE_ONLY = 'They can only be saved where they were made. Cancel leads back there.'

function UnsavedChangesDialog({ forms, onLeave, onStay }: DialogProps) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const unsavableForm = forms.find(({ save }) => save === undefined)
  const [{ text = UNSAVED } = {}] = forms
  const note = useId()

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

  return (
    <Modal title="Save your changes?" role="alertdialog" onClose={() => busy || onStay()}>
      <div className="modal-body">
        <p className="modal-text">{text}</p>
        {unsavableForm && (
          <p id={note} className="muted">
            {unsavableForm.missing ? `It cannot be saved yet: ${unsavableForm.missing}.` : SAVED_THERE_ONLY}
          </p>
        )}
        {failure && (
          <p className="field-error" role="alert">
            {failure}
          </p>
        )}
      </div>
      <div className="row modal-actions">
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
          aria-disabled={busy || unsavableForm !== undefined}
          aria-busy={busy}
          aria-describedby={unsavableForm && note}
          onClick={() =>
            unsavableForm || void leaveAfter((form) => form.save?.(), UNSAVED_CHANGES.saveFailed)
          }
        >
          Save
        </button>
      </div>
    </Modal>
  )
}
