// Random numbers from hashes, so that histories can be computed for any time. seed/random.ts returns a sequence instead.

export function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

export function bits(seed: number, first = 0, second = 0): number {
  let hash = seed ^ Math.imul(first | 0, 0x9e3779b1) ^ Math.imul(second | 0, 0x85ebca77)
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Returns a number of at least 0 and less than 1. */
export function chance(seed: number, first = 0, second = 0): number {
  return bits(seed, first, second) / 2 ** 32
}

/** Returns the value at `x` of a smooth random curve between -1 and 1. */
export function wander(seed: number, x: number): number {
  const step = Math.floor(x)
  const fraction = x - step
  const easedFraction = fraction * fraction * (3 - 2 * fraction)
  const startValue = chance(seed, step)
  return (startValue + (chance(seed, step + 1) - startValue) * easedFraction) * 2 - 1
}

export function within(low: number, high: number, value: number): number {
  return value < low ? low : value > high ? high : value
}
