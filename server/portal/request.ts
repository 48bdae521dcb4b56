// What the aggregated endpoints ask of a request: who makes it.
import { problems } from '../errors.ts'
import type { Caller } from '../types.ts'

/** Enforcement has run before: without a caller no handler of these routes is reached. */
export function signedIn(caller: Caller | null): Caller {
  if (caller === null) throw problems.notSignedIn()
  return caller
}
