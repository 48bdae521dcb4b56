// Measures time and leaves out pauses of this process.
const TICK_MS = 10

/** Tracks pauses of the process. Returns a function that starts a measurement and returns its reader. */
export function createStopwatch(): () => () => number {
  let pausedMs = 0
  let last = performance.now()
  setInterval(() => {
    pausedMs = pausedMsAt(performance.now())
    last = performance.now()
  }, TICK_MS).unref()
  const pausedMsAt = (now: number) => pausedMs + Math.max(0, now - last - TICK_MS)

  return () => {
    const begun = performance.now()
    const before = pausedMsAt(begun)
    return () => {
      const now = performance.now()
      return Math.max(0, now - begun - (pausedMsAt(now) - before))
    }
  }
}
