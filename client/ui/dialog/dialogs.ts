import { type ReactNode, useEffect } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

const store = createStore<{ dialog: ReactNode }>(() => ({ dialog: null }))
const close = () => store.setState({ dialog: null })

/** Shows a dialog in the page's `Dialogs`. */
export function showDialog(dialogOf: (close: () => void) => ReactNode): void {
  store.setState({ dialog: dialogOf(close) })
}

/** The open dialog, of which there is at most one. Leaving the page closes it. */
export function Dialogs(): ReactNode {
  useEffect(() => {
    close()
    return close
  }, [])
  return useStore(store, ({ dialog }) => dialog)
}
