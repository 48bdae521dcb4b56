/** Repeats the check until the result is truthy, and returns the result. Waits long, because the machine may be busy. */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = 60_000): Promise<NonNullable<T>> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const answer = await check()
    if (answer) return answer
    if (performance.now() > deadline) throw new Error(`the check did not pass within ${withinMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const EQUAL_POLLS = 20

/** Waits until a number stops changing. */
export async function settled(count: () => number): Promise<void> {
  let [lastCount, equalPolls] = [-1, 0]
  await eventually(() => {
    equalPolls = count() === lastCount ? equalPolls + 1 : 0
    lastCount = count()
    return equalPolls >= EQUAL_POLLS
  })
}
