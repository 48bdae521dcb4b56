// A dialog when a person leaves a form that has changes: Save, Discard or Cancel, or Stay and Leave if it cannot be saved.
import { createContext, type ReactNode, useContext, useEffect, useId, useState } from 'react'
import { useBlocker } from 'react-router-dom'
import { browser, listen } from '../../lib/browser.ts'
import { UNSAVED_CHANGES } from '../../lib/messages.ts'
import { Modal } from './modal.tsx'

export interface DirtyForm {
  /** Resolves once the changes are saved. Without it, the dialog only asks whether to leave. */
  save?: () => Promise<void>
  /** The question for a form without `save`, such as "Leave without sending the invitation?". */
  question?: string
  /** Describes what would be lost, for a form without `save`. */
  text?: string
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

const LEAVE: Required<Pick<DirtyForm, 'question' | 'text'>> = {
  question: 'Leave without saving?',
  text: 'What you have entered here will be lost.'
}

function UnsavedChangesDialog({ forms, onLeave, onStay }: DialogProps) {
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
