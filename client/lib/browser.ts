import { useEffect, useEffectEvent, useLayoutEffect, useState, useSyncExternalStore } from 'react'

/** Navigation away from the page; tests replace it. */
export const browser = {
  /** Whether unsaved changes block leaving. False after the session's end, when saving is impossible. */
  guarded: true,
  leaveTo(url: string) {
    window.location.assign(url)
  },
  reload() {
    window.location.reload()
  }
}

type Events = WindowEventMap & DocumentEventMap

/** Listens until the returned function is called. */
export function listen(
  target: Window | Document,
  listeners: { [Type in keyof Events]?: (event: Events[Type]) => void },
  capture = false
): () => void {
  const entries = Object.entries(listeners) as [string, EventListener][]
  for (const [type, work] of entries) target.addEventListener(type, work, capture)
  return () => {
    for (const [type, work] of entries) target.removeEventListener(type, work, capture)
  }
}

const followVisibility = (work: () => void) => listen(document, { visibilitychange: work })
const followConnection = (work: () => void) => listen(window, { online: work, offline: work })

export function useSeen(): boolean {
  return useSyncExternalStore(followVisibility, () => !document.hidden)
}

export function useOnline(): boolean {
  return useSyncExternalStore(followConnection, () => navigator.onLine)
}

/** Runs the work when the connection is back, while wanted. */
export function useOnReconnect(wanted: boolean, work: () => void): void {
  const now = useEffectEvent(work)
  // A layout effect listens as soon as the screen shows.
  useLayoutEffect(() => (wanted ? listen(window, { online: () => now() }) : undefined), [wanted])
}

/** The text, once it has not changed for `restMs`. */
export function useRested(text: string, restMs: number): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text, restMs])
  return rested
}

/**
 * Runs the work while no other tab of this browser runs work of that name. Waits for its turn until the signal aborts.
 * A browser without locks, as at an address without TLS, runs it at once.
 */
export async function withTabLock(
  name: string,
  signal: AbortSignal,
  work: () => Promise<void>
): Promise<void> {
  if (!('locks' in navigator)) return work()
  try {
    await navigator.locks.request(name, { signal }, work)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
