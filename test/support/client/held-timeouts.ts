// Timeouts that run only when the test says so. All other timers run as usual.
import assert from 'node:assert/strict'
import { waitFor } from '@testing-library/react'
import type { Test } from 'tap'

/** Holds back every timeout of one of these lengths. */
export function holdTimeouts(t: Pick<Test, 'intercept'>, lengthsMs: readonly number[]) {
  const { setTimeout: realSetTimeout } = globalThis
  let heldWork: (() => void)[] = []
  t.intercept(globalThis, 'setTimeout', {
    value: (work: () => void, ms = 0, ...rest: unknown[]) => {
      if (!lengthsMs.includes(ms)) return realSetTimeout(work, ms, ...rest)
      heldWork.push(work)
      return undefined
    }
  })
  return {
    /** Waits until a timeout is held, then runs all held timeouts. */
    async end() {
      await waitFor(() => assert.ok(heldWork.length > 0))
      const dueWork = heldWork
      heldWork = []
      for (const work of dueWork) work()
    }
  }
}
