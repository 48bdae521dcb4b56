// Measures time without pauses of this process.
const TICK_MS = 10

/** Tracks pauses of the process. Returns a function that starts a measurement and returns its reader. */
export function createStopwatch(): () => () => number {
  let heldUp = 0
  let last = performance.now()
  setInterval(() => {
    heldUp = heldUpBy(performance.now())
    last = performance.now()
  }, TICK_MS).unref()
  const heldUpBy = (now: number) => heldUp + Math.max(0, now - last - TICK_MS)

  return () => {
    const begun = performance.now()
    const before = heldUpBy(begun)
    return () => {
      const now = performance.now()
      return Math.max(0, now - begun - (heldUpBy(now) - before))
    }
  }
}
