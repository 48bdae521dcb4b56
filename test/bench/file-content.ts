// A file that nobody stores: each byte follows from its place.
export const FILE_BYTES = 2 * 1024 ** 3
export const FILE_TAG = '"made-of-numbers"'

/** A prime, so that no chunk of a usual size begins like the one before. */
const PERIOD = 65_521
const PATTERN = Buffer.alloc(32 * PERIOD)
for (let at = 0; at < PATTERN.length; at += 1) PATTERN[at] = ((at % PERIOD) * 31 + 7) % 251

/** The bytes from a place on, at most so many. */
export function partOf(from: number, most: number): Buffer {
  const start = from % PERIOD
  return PATTERN.subarray(start, Math.min(start + most, PATTERN.length))
}

/** Whether a part is what belongs at its place. */
export function isRight(part: Uint8Array, from: number): boolean {
  for (let at = 0; at < part.length; ) {
    const expected = partOf(from + at, part.length - at)
    if (expected.compare(part, at, at + expected.length) !== 0) return false
    at += expected.length
  }
  return true
}
