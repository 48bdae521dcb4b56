// A dialog when a person leaves a form that has changes: Save, Discard or Cancel, or Stay and Leave if it cannot be saved.
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useId, useState } from 'react'
import { type Location, useBlocker } from 'react-router-dom'
import { browser, listen } from '../../lib/browser.ts'
import { toasts } from '../state/toasts.ts'

const loadDialog = () => import('./unsaved-changes-dialog.tsx')

export interface DirtyForm {
  /** Resolves once the changes are saved. Without it, the dialog only asks whether to leave. */
  save?: () => Promise<void>
  /** The question for a form without `save`, such as "Leave without sending the invitation?". */
  question?: string
  /** Describes what would be lost, for a form without `save`. */
  text?: string
  discard?: () => Promise<void> | void
  /** Whether the next location belongs to the same form, such as the form's next step. Without it, the same path does. */
  keeps?: (next: Location, current: Location) => boolean
}

const isSamePath = (next: Location, current: Location) => next.pathname === current.pathname

const FormsContext = createContext(new Map<string, DirtyForm>())

/** Asks before changes of the form are lost. Pass null while there are no changes. */
export function useUnsavedChanges(form: DirtyForm | null): void {
  const forms = useContext(FormsContext)
  const id = useId()
  useEffect(() => {
    if (form) {
      forms.set(id, form)
      // Load it while the person edits, because it is also needed without a connection.
      loadDialog().catch(() => {})
    }
    return () => void forms.delete(id)
  })
}

export function UnsavedChangesGuard({ children }: { children: ReactNode }) {
  const [forms] = useState(() => new Map<string, DirtyForm>())
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      browser.guarded &&
      [...forms.values()].some(({ keeps = isSamePath }) => !keeps(nextLocation, currentLocation))
  )
  const [UnsavedChangesDialog, setDialog] = useState<typeof import('./unsaved-changes-dialog.tsx').default>()
  const isBlocked = blocker.state === 'blocked'
  const load = useEffectEvent(async () => {
    try {
      const { default: Dialog } = await loadDialog()
      setDialog(() => Dialog)
    } catch {
      blocker.reset?.()
      toasts.failed(
        'You have unsaved changes here, and the question about them could not be loaded. Try again.'
      )
    }
  })
  useEffect(() => {
    if (isBlocked) void load()
  }, [isBlocked])
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
      {blocker.state === 'blocked' && UnsavedChangesDialog && (
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
