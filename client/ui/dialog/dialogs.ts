import { type ReactNode, useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { toasts } from '../state/toasts.ts'

const store = createStore<{ dialog: ReactNode }>(() => ({ dialog: null }))
const close = () => store.setState({ dialog: null })

/** Shows what `load` makes, whose code may still have to be fetched, in the page's `Dialogs`. */
export function showDialog(load: (close: () => void) => Promise<ReactNode>): void {
  load(close).then(
    (dialog) => store.setState({ dialog }),
    () =>
      toasts.failed('This part of the portal could not be loaded.', {
        label: 'Retry',
        onAct: () => showDialog(load)
      })
  )
}

/** The dialog that is open, one at a time; it closes with its page. */
export function Dialogs(): ReactNode {
  useEffect(() => {
    close()
    return close
  }, [])
  return useStore(store, ({ dialog }) => dialog)
}
