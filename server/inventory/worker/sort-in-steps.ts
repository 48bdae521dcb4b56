// Sorts long lists in steps of a few milliseconds, so that other work can run between two steps.

/** Items per step. Sorting takes about ten comparisons of up to 12 µs per item. */
export const STEP = 1_000

/** Like `toSorted`, in steps. */
export function* sortInSteps<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number
): Generator<void, readonly T[]> {
  let runs: (readonly T[])[] = []
  for (let at = 0; at < items.length; at += STEP) {
    runs.push(items.slice(at, at + STEP).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = []
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* merge(runs[at] as readonly T[], runs[at + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}

/** Merges two sorted lists. Among equal items, those of the left list come first. */
function* merge<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number
): Generator<void, readonly T[]> {
  const merged: T[] = []
  let leftIndex = 0
  let rightIndex = 0
  while (leftIndex < left.length && rightIndex < right.length) {
    const leftItem = left[leftIndex] as T
    const rightItem = right[rightIndex] as T
    if (compare(leftItem, rightItem) <= 0) {
      merged.push(leftItem)
      leftIndex += 1
    } else {
      merged.push(rightItem)
      rightIndex += 1
    }
    if (merged.length % STEP === 0) yield
  }
  return merged.concat(left.slice(leftIndex), right.slice(rightIndex))
}

/** Runs all steps at once. Returns the result. */
export function inOneGo<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value as T
  }
}
