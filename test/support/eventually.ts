// Waiting for what comes by itself.
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
