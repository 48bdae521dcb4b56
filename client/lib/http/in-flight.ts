// SWR cannot cancel: a call is aborted once nothing on the screen waits for it any more.
import { useLayoutEffect } from 'react'

const calls = new Map<string, { controller: AbortController; holders: number }>()

function callOf(family: string) {
  const call = calls.get(family) ?? { controller: new AbortController(), holders: 0 }
  calls.set(family, call)
  return call
}

export function signalOf(family: string): AbortSignal {
  return callOf(family).controller.signal
}

/** Whether something on the screen shows, or waits for, what the family answers. */
export function isHeld(family: string): boolean {
  return (calls.get(family)?.holders ?? 0) > 0
}

/**
 * Keeps the calls of a family alive while the component is mounted and asks for it: from the commit on, in which SWR begins
 * to read. An effect after the paint would let what the last screen gave up take the next one's call along.
 */
export function useHold(family: string | null): void {
  useLayoutEffect(() => {
    if (family === null) return
    callOf(family).holders += 1
    return () => release(family)
  }, [family])
}

function release(family: string): void {
  const call = callOf(family)
  call.holders -= 1
  // Later: the next screen may hold the same family in this very commit.
  setTimeout(() => {
    if (call.holders > 0) return
    call.controller.abort()
    if (calls.get(family) === call) calls.delete(family)
  })
}
