// The parts of the frame that load after the first screen, as one chunk.
import { createContext, useContext, useEffect, useState } from 'react'
import { browser } from '../../lib/browser.ts'
import { useIdle } from '../../lib/use-lazy.ts'
import { toasts } from '../../ui/state/toasts.ts'

type LaterParts = typeof import('./later-parts.ts')

/** Null until they are loaded. */
export const LaterContext = createContext<LaterParts | null>(null)
export const useLater = () => useContext(LaterContext)

export function useLoadedLater(): LaterParts | null {
  const [parts, setParts] = useState<LaterParts | null>(null)
  const idle = useIdle()
  useEffect(() => {
    if (!idle) return
    import('./later-parts.ts').then(setParts, () =>
      toasts.failed('Part of the portal could not be loaded.', {
        label: 'Reload',
        onAct: () => browser.reload()
      })
    )
  }, [idle])
  return parts
}
