// Long work of the worker is done in steps of a few milliseconds, one in each turn of its event loop: questions that came
// meanwhile are answered before the next step, whoever's it is.
import { setImmediate } from 'node:timers/promises'

let last: Promise<void> = Promise.resolve()

/** Resolves when the next step may be done. */
export function turn(): Promise<void> {
  last = last.then(() => setImmediate())
  return last
}
