// After a command: whether the device did as it was told, asked for a while.

/** After the command. */
const READ_BACK_MS = [2_000, 5_000, 10_000] as const

interface ReadBack<T> {
  taken: boolean
  /** What was read last; null when nothing could be. */
  last: T | null
}

/** Reads at those times until `isTaken`; a reading that fails is no answer, the next may be one. */
export async function readBack<T>(
  read: () => Promise<T>,
  isTaken: (reading: T) => boolean,
  wait: (ms: number) => Promise<void>,
  times: readonly number[] = READ_BACK_MS
): Promise<ReadBack<T>> {
  let last: T | null = null
  let passed = 0
  for (const ms of times) {
    await wait(ms - passed)
    passed = ms
    try {
      last = await read()
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') throw error
      continue
    }
    if (isTaken(last)) return { taken: true, last }
  }
  return { taken: false, last }
}

/** Rejects with an AbortError when it is given up. */
export function waitFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new DOMException('given up', 'AbortError'))
    })
  })
}
