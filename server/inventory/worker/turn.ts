// The worker does long work in steps of a few milliseconds, one in each turn of its event loop, so that it can
// answer waiting questions between any two steps.
import { setImmediate } from 'node:timers/promises'

let lastTurn: Promise<void> = Promise.resolve()

/** Resolves when the next step may start. */
export function turn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate())
  return lastTurn
}
