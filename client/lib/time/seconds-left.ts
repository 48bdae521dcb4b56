import { useSyncExternalStore } from 'react'

const UPDATE_MS = 500

/** The whole seconds until a time of the page's clock (`performance.now()`), rounded up; counts down while mounted. */
export function useSecondsLeft(untilMs: number): number {
  return useSyncExternalStore(tick, () => Math.max(0, Math.ceil((untilMs - performance.now()) / 1000)))
}

function tick(onTick: () => void): () => void {
  const timer = setInterval(onTick, UPDATE_MS)
  return () => clearInterval(timer)
}
