import { type ReactNode, useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { ProgressBar } from '../state/loading.tsx'
import { toasts } from '../state/toasts.ts'

/** `awaited` is the request for a dialog whose code is loading. */
interface DialogState {
  dialog: ReactNode
  awaited: symbol | null
}

const NONE: DialogState = { dialog: null, awaited: null }
const store = createStore(() => NONE)
const close = () => store.setState(NONE)

/** Shows a dialog in the page's `Dialogs`. */
export function showDialog(dialogOf: (close: () => void) => ReactNode): void {
  store.setState({ dialog: dialogOf(close), awaited: null })
}

/** Loads the code of a dialog, then shows it, unless the person has left the page or has opened another dialog meanwhile. */
export async function showLazyDialog<Code>(
  load: () => Promise<Code>,
  dialogOf: (code: Code, close: () => void) => ReactNode
): Promise<void> {
  const awaited = Symbol('dialog')
  const isAwaited = () => store.getState().awaited === awaited
  store.setState({ dialog: null, awaited })
  try {
    const code = await load()
    if (isAwaited()) showDialog((close) => dialogOf(code, close))
  } catch {
    if (!isAwaited()) return
    close()
    toasts.failed('The dialog could not be loaded.', {
      label: 'Retry',
      onAct: () => void showLazyDialog(load, dialogOf)
    })
  }
}

/** The open dialog, of which there is at most one. Leaving the page closes it. */
export function Dialogs(): ReactNode {
  useEffect(() => {
    close()
    return close
  }, [])
  const { dialog, awaited } = useStore(store)
  return (
    <>
      <div className="dialog-progress">
        <ProgressBar busy={awaited !== null} />
      </div>
      {dialog}
    </>
  )
}
