// One guard for all forms (§4): leaving a form with changes waits for Save, Discard or Cancel.
import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useBlocker } from 'react-router-dom'
import { UNSAVED_CHANGES } from '#shared/messages.ts'
import { Modal } from '../components/modal.tsx'
import { browser } from '../lib/browser.ts'

export interface DirtyForm {
  /** Resolves when the changes are kept; rejects when they are not. Left out where the form cannot be saved as it is. */
  save?: () => Promise<void>
  discard?: () => Promise<void> | void
  /** Addresses that the form goes along to, as the next step of it. */
  keeps?: (pathname: string) => boolean
}

type Registry = Map<string, DirtyForm>
const RegistryContext = createContext<{ set: (id: string, form: DirtyForm | null) => void }>({
  set: () => {}
})

/** Guards a form while `form` is given; null or nothing while there is nothing to lose. */
export function useUnsavedChanges(form: DirtyForm | null): void {
  const { set } = useContext(RegistryContext)
  const id = useId()
  useEffect(() => set(id, form))
  useEffect(() => () => set(id, null), [set, id])
}

export function UnsavedChangesGuard({ children }: { children: ReactNode }) {
  const forms = useRef<Registry>(new Map())
  const registry = useMemo(
    () => ({
      set(id: string, form: DirtyForm | null) {
        if (form) forms.current.set(id, form)
        else forms.current.delete(id)
      }
    }),
    []
  )
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      browser.guarded &&
      currentLocation.pathname !== nextLocation.pathname &&
      [...forms.current.values()].some((form) => !form.keeps?.(nextLocation.pathname))
  )
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (browser.guarded && forms.current.size > 0) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [])

  return (
    <RegistryContext value={registry}>
      {children}
      {blocker.state === 'blocked' && (
        <UnsavedChangesDialog
          forms={[...forms.current.values()]}
          onLeave={() => {
            forms.current.clear()
            blocker.proceed()
          }}
          onStay={() => blocker.reset()}
        />
      )}
    </RegistryContext>
  )
}

interface DialogProps {
  forms: readonly DirtyForm[]
  onLeave: () => void
  onStay: () => void
}

function UnsavedChangesDialog({ forms, onLeave, onStay }: DialogProps) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const canSave = forms.every(({ save }) => save !== undefined)

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
        <p className="modal-text">You have changes on this page that are not saved.</p>
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
          aria-disabled={busy || !canSave}
          title={canSave ? undefined : 'The form is not complete yet'}
          onClick={() => canSave && void leaveAfter((form) => form.save?.(), UNSAVED_CHANGES.saveFailed)}
        >
          Save
        </button>
      </div>
    </Modal>
  )
}
