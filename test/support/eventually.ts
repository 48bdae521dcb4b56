/** Repeats the check until its result is truthy and returns it. Rejects late, because the machine may be busy. */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = 60_000): Promise<NonNullable<T>> {
  const until = performance.now() + withinMs
  for (;;) {
    const answer = await check()
    if (answer) return answer
    if (performance.now() > until) throw new Error(`the check did not pass within ${withinMs} ms`)
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
