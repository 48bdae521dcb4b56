// Measures time without the time in which this process did not get to run.
const TICK_MS = 10

/** Watches how long the process does not run. Returns a function that starts a measurement and returns its reader. */
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
