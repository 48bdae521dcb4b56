// Timeouts that run only when the test says so. All other timers run as usual.
import assert from 'node:assert/strict'
import { waitFor } from '@testing-library/react'
import type { Test } from 'tap'

/** Holds back every timeout of one of these lengths. */
export function holdTimeouts(t: Pick<Test, 'intercept'>, lengthsMs: readonly number[]) {
  const { setTimeout: realSetTimeout, clearTimeout: realClearTimeout } = globalThis
  const heldWork = new Map<unknown, () => void>()
  t.intercept(globalThis, 'setTimeout', {
    value: (work: () => void, ms = 0, ...rest: unknown[]) => {
      if (!lengthsMs.includes(ms)) return realSetTimeout(work, ms, ...rest)
      const timeout = {}
      heldWork.set(timeout, work)
      return timeout
    }
  })
  t.intercept(globalThis, 'clearTimeout', {
    value: (timeout: Parameters<typeof clearTimeout>[0]) => {
      if (!heldWork.delete(timeout)) realClearTimeout(timeout)
    }
  })
  return {
    /** Waits until this many timeouts are held, then runs all held timeouts. */
    async end(count = 1) {
      await waitFor(() => assert.ok(heldWork.size >= count))
      const dueWork = [...heldWork.values()]
      heldWork.clear()
      for (const work of dueWork) work()
    }
  }
}
