// How many calls that nobody waits for are under way at a time: of each API eight, fewer while it is busy or slow.
import pLimit from 'p-limit'
import { Problem } from '../../errors.ts'
import type { Clock } from '../../types.ts'
import { isOutage } from '../../upstreams/transport/failures.ts'

export const AT_ONCE = 8
const SLOW_MS = 2_000

/** Does the work when there is room for it. */
export type Pace = <T>(work: () => Promise<T>) => Promise<T>

export function createPace(clock: Clock): Pace {
  const limit = pLimit(AT_ONCE)
  return (work) =>
    limit(async () => {
      const begun = clock()
      let isBusy = false
      try {
        return await work()
      } catch (error) {
        isBusy = isOutage(error) || (error instanceof Problem && error.options.upstreamStatus === 429)
        throw error
      } finally {
        const { concurrency } = limit
        limit.concurrency =
          isBusy || clock() - begun > SLOW_MS
            ? Math.ceil(concurrency / 2)
            : Math.min(AT_ONCE, concurrency + 1)
      }
    })
}
