// The worker does long work in steps of a few milliseconds, one in each turn of its event loop, so that it can
// answer waiting calls between any two steps.
import { setImmediate } from 'node:timers/promises'

let lastStep: Promise<void> = Promise.resolve()

/** Resolves when the next step may start. */
export function nextStep(): Promise<void> {
  lastStep = lastStep.then(() => setImmediate())
  return lastStep
}
