// The worker does long work in steps of a few milliseconds, one in each turn of its event loop, so that waiting questions
// are answered between any two steps.
import { setImmediate } from 'node:timers/promises'

let last: Promise<void> = Promise.resolve()

/** Resolves when the next step may be done. */
export function turn(): Promise<void> {
  last = last.then(() => setImmediate())
  return last
}
