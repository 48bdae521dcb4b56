// Measures time and leaves out pauses of this process.
const TICK_MS = 10

/** Tracks pauses of the process. Returns a function that starts a measurement and returns a reader of the elapsed ms. */
export function createStopwatch(): () => () => number {
  let pausedMs = 0
  let lastTickAt = performance.now()
  setInterval(() => {
    pausedMs = pausedMsAt(performance.now())
    lastTickAt = performance.now()
  }, TICK_MS).unref()
  const pausedMsAt = (now: number) => pausedMs + Math.max(0, now - lastTickAt - TICK_MS)

  return () => {
    const startedAt = performance.now()
    const pausedBefore = pausedMsAt(startedAt)
    return () => {
      const now = performance.now()
      return Math.max(0, now - startedAt - (pausedMsAt(now) - pausedBefore))
    }
  }
}
