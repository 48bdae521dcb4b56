// Finds a time among ascending times.

/** The first index with a time of at least `ms`; the length if there is none. */
export function firstAt(times: ArrayLike<number>, ms: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] as number) < ms) low = middle + 1
    else high = middle
  }
  return low
}
