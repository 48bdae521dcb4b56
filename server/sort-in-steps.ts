// Sorts long lists in steps of a few milliseconds, so that other work can run between two steps, and finds places in them.

/** Items per step. Sorting takes about ten comparisons of up to 12 µs per item. */
export const STEP = 1_000

/** Like `toSorted`, in steps of `step` items. */
export function* sortInSteps<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  step = STEP
): Generator<void, readonly T[]> {
  let runs: (readonly T[])[] = []
  for (let at = 0; at < items.length; at += step) {
    runs.push(items.slice(at, at + step).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = []
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* merge(runs[at] as readonly T[], runs[at + 1] ?? [], compare, step))
    runs = merged
  }
  return runs[0] ?? []
}

/** Merges two sorted lists. Among equal items, those of the left list come first. */
function* merge<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
  step: number
): Generator<void, readonly T[]> {
  if (left.length === 0 || right.length === 0) return left.concat(right)
  // Lists are often in order already, or in the opposite order.
  if (compare(left.at(-1) as T, right[0] as T) <= 0) return left.concat(right)
  if (compare(right.at(-1) as T, left[0] as T) < 0) return right.concat(left)
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
    if (merged.length % step === 0) yield
  }
  return merged.concat(left.slice(leftIndex), right.slice(rightIndex))
}

/** The position in a sorted list before which an item belongs, after equal ones; behind the last one for no item. */
export function positionOf<T>(
  item: T | undefined,
  sorted: readonly T[],
  compare: (a: T, b: T) => number
): number {
  if (item === undefined) return sorted.length
  let from = 0
  let to = sorted.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if (compare(sorted[middle] as T, item) <= 0) from = middle + 1
    else to = middle
  }
  return from
}

/** Comparing characters takes a tenth of a microsecond. */
const CHARACTERS_STEP = 250

/**
 * Sorts keys whose comparison is slow. They are first sorted by their characters, which is quick, and leaves little to compare.
 */
export function* sortKeysInSteps<Key extends string | number>(
  keys: readonly Key[],
  compare: (a: Key, b: Key) => number,
  step = STEP
): Generator<void, readonly Key[]> {
  const byCharacters = yield* sortInSteps(keys, (a, b) => (a < b ? -1 : Number(a > b)), CHARACTERS_STEP)
  return yield* sortInSteps(byCharacters, compare, step)
}

/** The rank of each of these distinct texts; texts that compare as equal share a rank. */
export function* ranksInSteps(
  texts: readonly string[],
  compare: (a: string, b: string) => number,
  step = STEP
): Generator<void, ReadonlyMap<string, number>> {
  const ranks = new Map<string, number>()
  let previous = ''
  let rank = 0
  for (const text of yield* sortKeysInSteps(texts, compare, step)) {
    if (compare(previous, text) !== 0) rank += 1
    ranks.set(text, rank)
    previous = text
    if (ranks.size % step === 0) yield
  }
  return ranks
}

/** Runs all steps at once. Returns the result. */
export function inOneGo<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value as T
  }
}
