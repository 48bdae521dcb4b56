import { type ReactNode, useCallback, useState } from 'react'
import { toasts } from '../state/toasts.ts'

/** Shows what `load` makes, whose code may still have to be fetched. `close` is for the dialog to call. */
export type ShowDialog = (load: (close: () => void) => Promise<ReactNode>) => void

/** One dialog at a time, its code fetched when it is asked for. */
export function useDialog(): { dialog: ReactNode; show: ShowDialog } {
  const [dialog, setDialog] = useState<ReactNode>(null)
  const show = useCallback<ShowDialog>((load) => {
    load(() => setDialog(null)).then(setDialog, () =>
      toasts.failed('This part of the portal could not be loaded.', {
        label: 'Retry',
        onAct: () => show(load)
      })
    )
  }, [])
  return { dialog, show }
}
