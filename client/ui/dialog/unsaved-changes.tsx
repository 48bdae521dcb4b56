// A dialog when a person leaves a form that has changes: Save, Discard or Cancel, or Stay and Leave if it cannot be saved.
import { createContext, lazy, type ReactNode, Suspense, useContext, useEffect, useId, useState } from 'react'
import { useBlocker } from 'react-router-dom'
import { browser, listen } from '../../lib/browser.ts'

const loadDialog = () => import('./unsaved-changes-dialog.tsx')
const UnsavedChangesDialog = lazy(loadDialog)

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
        <Suspense>
          <UnsavedChangesDialog
            forms={[...forms.values()]}
            onLeave={() => {
              forms.clear()
              blocker.proceed()
            }}
            onStay={() => blocker.reset()}
          />
        </Suspense>
      )}
    </FormsContext>
  )
}
