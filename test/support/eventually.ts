/**
 * Repeats the check until it holds. Rejects after the time, which is longer than any correct code needs on a busy machine.
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
