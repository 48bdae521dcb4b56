// The results of several promises in the order in which they come.

/** Ends with the last one. Throws the first failure. */
export async function* asTheyCome<T>(promises: readonly Promise<T>[]): AsyncGenerator<T, void, void> {
  const settled: { value: T }[] = []
  let failure: { error: unknown } | undefined
  let wake = () => {}
  for (const promise of promises)
    promise.then(
      (value) => {
        settled.push({ value })
        wake()
      },
      (error) => {
        failure ??= { error }
        wake()
      }
    )
  for (let left = promises.length; left > 0; left -= 1) {
    while (settled.length === 0 && failure === undefined)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    if (failure) throw failure.error
    yield (settled.shift() as { value: T }).value
  }
}
