export function between<T>(
  newestFirst: readonly T[],
  timeMs: (one: T) => number,
  fromMs: number,
  toMs: number
): T[] {
  return newestFirst.slice(
    firstWhere(newestFirst, (one) => timeMs(one) <= toMs),
    firstWhere(newestFirst, (one) => timeMs(one) < fromMs)
  )
}

function firstWhere<T>(list: readonly T[], holds: (one: T) => boolean): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(list[middle] as T)) high = middle
    else low = middle + 1
  }
  return low
}
