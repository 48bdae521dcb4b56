import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react'

/** Leaving the page, in one replaceable place. */
export const browser = {
  /** Whether unsaved changes block leaving; after the session's end they cannot be saved. */
  guarded: true,
  leaveTo(url: string) {
    window.location.assign(url)
  },
  reload() {
    window.location.reload()
  }
}

/** Whether the tab is visible. */
export function useSeen(): boolean {
  return useSyncExternalStore(followVisibility, () => !document.hidden)
}

function followVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

export function useOnline(): boolean {
  return useSyncExternalStore(followConnection, () => navigator.onLine)
}

/** Runs the work when the connection is back, while wanted. */
export function useOnReconnect(wanted: boolean, work: () => void): void {
  const now = useEffectEvent(work)
  // A layout effect listens as soon as the screen shows.
  useLayoutEffect(() => {
    if (!wanted) return
    const tell = () => now()
    window.addEventListener('online', tell)
    return () => window.removeEventListener('online', tell)
  }, [wanted])
}

function followConnection(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/**
 * Runs the work while no other tab of this browser runs work of that name; it waits for its turn until the signal says
 * otherwise. A browser without locks, as at an address without TLS, runs it at once.
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
