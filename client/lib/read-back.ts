// Reads a value after a command until the device has executed it.

import { isAbort } from './http/api-error.ts'

/** When to read the value, as times since the command. */
const READ_BACK_MS = [2_000, 5_000, 10_000] as const

interface ReadBack<T> {
  taken: boolean
  /** The last value read; null if every read failed. */
  last: T | null
}

/** Reads the value at each of `times` until `isTaken` accepts it. Continues after a failed read. */
export async function readBack<T>(
  read: () => Promise<T>,
  isTaken: (reading: T) => boolean,
  wait: (ms: number) => Promise<void>,
  times: readonly number[] = READ_BACK_MS
): Promise<ReadBack<T>> {
  let last: T | null = null
  let elapsedMs = 0
  for (const ms of times) {
    await wait(ms - elapsedMs)
    elapsedMs = ms
    try {
      last = await read()
    } catch (error) {
      if (isAbort(error)) throw error
      continue
    }
    if (isTaken(last)) return { taken: true, last }
  }
  return { taken: false, last }
}

/** Resolves after `ms`. Rejects with an AbortError when the signal aborts. */
export function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new DOMException('aborted', 'AbortError'))
    })
  })
}
