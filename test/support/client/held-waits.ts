// Waits that end when the test says so. All other timers run as usual.
import assert from 'node:assert/strict'
import { waitFor } from '@testing-library/react'
import type { Test } from 'tap'

/** Holds timeouts of these lengths. */
export function heldWaits(t: Pick<Test, 'intercept'>, lengthsMs: readonly number[]) {
  const { setTimeout: realSetTimeout } = globalThis
  let waits: (() => void)[] = []
  t.intercept(globalThis, 'setTimeout', {
    value: (work: () => void, ms = 0, ...rest: unknown[]) => {
      if (!lengthsMs.includes(ms)) return realSetTimeout(work, ms, ...rest)
      waits.push(work)
      return undefined
    }
  })
  return {
    /** Ends all waits as soon as there is one. */
    async end() {
      await waitFor(() => assert.ok(waits.length > 0))
      const endedWaits = waits
      waits = []
      for (const work of endedWaits) work()
    }
  }
}
