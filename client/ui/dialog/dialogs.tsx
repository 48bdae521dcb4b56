import { type ReactNode, useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { ProgressBar } from '../state/loading.tsx'
import { toasts } from '../state/toasts.ts'

interface DialogState {
  dialog: ReactNode
  /** The request for a dialog whose code is loading. */
  awaited: symbol | null
  /** The messages that offer a dialog of this page again. */
  offers: readonly number[]
}

const store = createStore((): DialogState => ({ dialog: null, awaited: null, offers: [] }))
const close = () => store.setState({ dialog: null, awaited: null })
const withdrawOffers = () => {
  for (const id of store.getState().offers) toasts.dismiss(id)
  store.setState({ offers: [] })
}

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
    const offer = toasts.failed('The dialog could not be loaded.', {
      label: 'Retry',
      onAct: () => void showLazyDialog(load, dialogOf),
      brief: true
    })
    store.setState(({ offers }) => ({ offers: [...offers, offer] }))
  }
}

/** The open dialog, of which there is at most one. Leaving the page closes it, and removes the messages that offer one. */
export function Dialogs(): ReactNode {
  useEffect(() => {
    close()
    return () => {
      close()
      withdrawOffers()
    }
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
