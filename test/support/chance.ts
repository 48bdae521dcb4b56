/** Returns a function for pseudo-random integers below a limit. A fixed seed makes a failure repeatable. */
export function chance(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
