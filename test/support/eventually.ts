/**
 * Asks again and again until it holds. Rejects when it does not within the time, which is one that only what is broken takes:
 * longer than a busy machine may take for anything.
 */
export async function eventually<T>(ask: () => T | Promise<T>, withinMs = 60_000): Promise<NonNullable<T>> {
  const until = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (performance.now() > until) throw new Error(`it did not hold within ${withinMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const STILL_POLLS = 20

/** Waits until a number stops growing. */
export async function settled(count: () => number): Promise<void> {
  let [before, still] = [-1, 0]
  await eventually(() => {
    still = count() === before ? still + 1 : 0
    before = count()
    return still >= STILL_POLLS
  })
}
