// Long work runs in steps, one in each turn of the event loop, so that other work can run between any two steps.
import { setImmediate } from 'node:timers/promises'

/** Short, because each call of others waits for about ten steps, one in each of its turns. Shorter ones gain nothing. */
const STEP_MS = 0.25

let lastStep: Promise<void> = Promise.resolve()

/** Resolves when the next step may start. */
export function nextStep(): Promise<void> {
  lastStep = lastStep.then(() => setImmediate())
  return lastStep
}

/** Runs work that pauses at each `yield`, for about a quarter of a millisecond in each step. Returns its result. */
export async function inSteps<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    await nextStep()
    const endsAt = performance.now() + STEP_MS
    do {
      const { done, value } = work.next()
      if (done) return value as T
    } while (performance.now() < endsAt)
  }
}
