// One guard for all forms: leaving a form with changes waits for Save, Discard or Cancel.
import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useRef } from 'react'
import { useBlocker } from 'react-router-dom'
import { browser } from '../../lib/browser.ts'
import { useFetchAhead, useLazy } from '../../lib/use-lazy.ts'
import { toasts } from '../state/toasts.ts'

export interface DirtyForm {
  /** What would be lost, where it is more than what was typed. */
  text?: string
  /** Resolves when the changes are kept; rejects when they are not. Left out where the form cannot be saved as it is. */
  save?: () => Promise<void>
  /** Why it cannot be saved as it is. */
  missing?: string
  discard?: () => Promise<void> | void
  /** Addresses that the form goes along to, as the next step of it. */
  keeps?: (pathname: string) => boolean
}

const fetchDialog = () => import('./unsaved-changes-dialog.tsx')

type Registry = Map<string, DirtyForm>
const RegistryContext = createContext<{ set: (id: string, form: DirtyForm | null) => void }>({
  set: () => {}
})

/** Guards a form while `form` is given; null or nothing while there is nothing to lose. */
export function useUnsavedChanges(form: DirtyForm | null): void {
  const { set } = useContext(RegistryContext)
  const id = useId()
  useEffect(() => set(id, form))
  // There by the time it is asked for, also when the connection is not.
  useFetchAhead(fetchDialog, form !== null)
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

  const Dialog = useLazy(fetchDialog, blocker.state === 'blocked', () => {
    blocker.reset?.()
    toasts.failed('This part of the portal could not be fetched. Your changes are still here.')
  })
  return (
    <RegistryContext value={registry}>
      {children}
      {Dialog && blocker.state === 'blocked' && (
        <Dialog
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
