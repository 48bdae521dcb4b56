// The rules of the turns in which the customers of a list are read, so that a long list costs the upstream no more calls than a
// short one. Pure.
import type { Outcome } from './read-interval.ts'
import type { WatchedCustomer } from './watched-customers.ts'

/** Number of customers that are read in parallel while they have never been read. */
const FIRST_AT_ONCE = 4

type Candidate = Pick<WatchedCustomer, 'key' | 'triedAt'>

interface Moment {
  hasReading: (key: string) => boolean
  /** Now, by the clock of `triedAt`. */
  nowMs: number
  /** A customer that was tried within this time is not read again. */
  freshMs: number
}

/** The customers to read next: several that were never read, or the one that was tried longest ago. */
export function nextCustomers<T extends Candidate>(
  customers: readonly T[],
  { hasReading, nowMs, freshMs }: Moment
): T[] {
  const unread = customers.filter(({ key, triedAt }) => triedAt < 0 && !hasReading(key))
  if (unread.length > 0) return unread.slice(0, FIRST_AT_ONCE)
  const [first] = customers
  if (first === undefined) return []
  const oldest = customers.reduce(
    (earliest, customer) => (customer.triedAt < earliest.triedAt ? customer : earliest),
    first
  )
  return nowMs - oldest.triedAt >= freshMs ? [oldest] : []
}

/** The outcome of a turn: busy if any answer was busy, else good if any answer was good, else failed. */
export function outcomeOfTurn(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.includes('busy')) return 'busy'
  return outcomes.includes('good') ? 'good' : 'failed'
}

/** The rest of an interval that began at `startedAt`, by the clock of `nowMs`. */
export function remainingMs(startedAt: number, intervalMs: number, nowMs: number): number {
  return Math.max(0, startedAt + intervalMs - nowMs)
}
