import { useEffect, useEffectEvent, useLayoutEffect, useState, useSyncExternalStore } from 'react'

/** Navigation to and away from the page; tests replace these functions. */
export const browser = {
  /** Whether unsaved changes prevent leaving the page. False after the session's end, when saving is impossible. */
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

const paper = globalThis.window?.matchMedia('print')

/** Whether the page is being printed. Its width is then that of the paper. */
export const isPrinting = (): boolean => paper?.matches ?? false

/** Calls back when printing begins and ends. Returns a function that stops this. */
export function followPrinting(work: () => void): () => void {
  paper?.addEventListener('change', work)
  return () => paper?.removeEventListener('change', work)
}

export function usePrinting(): boolean {
  return useSyncExternalStore(followPrinting, isPrinting)
}

/** Runs the work when the browser is online again, while `enabled` is true. */
export function useOnReconnect(enabled: boolean, work: () => void): void {
  const onOnline = useEffectEvent(work)
  // A layout effect listens as soon as the screen shows.
  useLayoutEffect(() => (enabled ? listen(window, { online: () => onOnline() }) : undefined), [enabled])
}

/** The last text that stayed unchanged for `restMs`. */
export function useRested(text: string, restMs: number): string {
  const [restedText, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text, restMs])
  return restedText
}

/**
 * Runs the work once no other tab of this browser runs work of that name. Stops waiting when the signal aborts.
 * A browser without locks, as at an address without TLS, runs the work at once.
 */
export async function withTabLock(
  name: string,
  work: () => Promise<void>,
  signal?: AbortSignal
): Promise<void> {
  if (!('locks' in navigator)) return work()
  try {
    await navigator.locks.request(name, signal ? { signal } : {}, work)
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}
