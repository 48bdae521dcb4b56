// The parts of the frame that load after the first screen, as one chunk.
import { createContext, useContext, useEffect, useState } from 'react'
import { browser, listen } from '../../lib/browser.ts'
import { toasts } from '../../ui/state/toasts.ts'

type DeferredParts = typeof import('./deferred-parts.ts')

/** The lazily loaded parts, or null until they are loaded. */
export const DeferredPartsContext = createContext<DeferredParts | null>(null)
export const useDeferredParts = () => useContext(DeferredPartsContext)

/** Loads the parts once the browser is idle. */
export function useDeferredLoad(): DeferredParts | null {
  const [parts, setParts] = useState<DeferredParts | null>(null)
  const idle = useIdle()
  useEffect(() => {
    if (!idle) return
    import('./deferred-parts.ts').then(setParts, () =>
      toasts.failed('Part of the portal could not be loaded.', {
        label: 'Reload',
        onAct: () => browser.reload()
      })
    )
  }, [idle])
  return parts
}

/** True once the page has loaded and the browser is idle: nothing competes with the first screen. */
function useIdle(): boolean {
  const [idle, setIdle] = useState(false)
  useEffect(() => {
    const markIdle = () => setIdle(true)
    const waitForIdle = () =>
      'requestIdleCallback' in window
        ? requestIdleCallback(markIdle, { timeout: 2_000 })
        : setTimeout(markIdle)
    if (document.readyState !== 'complete') return listen(window, { load: waitForIdle })
    waitForIdle()
  }, [])
  return idle
}
