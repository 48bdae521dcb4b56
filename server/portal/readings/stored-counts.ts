// Stores the counts of customers for all replicas, so that a restarted gateway shows them at once, with their age.
import type { AttentionCount, CustomerAttention } from '#shared/answers/portal.ts'
import type { Clock, Notes } from '../../types.ts'

/** Changes with the format, so that replicas of different versions ignore each other's counts. */
const VERSION = 1
/**
 * A day: a person who comes back the next morning sees yesterday's counts until new ones arrive. Older ones mislead, because
 * services end daily, and the counts of a customer whom nobody watches should not stay in Redis.
 */
const LIFETIME_MS = 86_400_000

type Counts = CustomerAttention['counts']

/** The viewers who share the counts. */
interface Viewers {
  organizationId: string
  visibility: string
}

export function createStoredCounts(notes: Notes, clock: Clock) {
  const nameOf = ({ organizationId, visibility }: Viewers) => `counts of ${organizationId} for ${visibility}`
  /** Leaves out counts that have been stored again and again, because their upstream has been failing. */
  const withoutOld = (counts: Counts): Counts => {
    const since = clock() - LIFETIME_MS
    const isRecent = (count: AttentionCount | null) => count !== null && Date.parse(count.readAt) >= since
    return Object.fromEntries(Object.entries(counts).filter(([, count]) => isRecent(count)))
  }

  return {
    /** Returns the counts of customers, by id. Counts are missing if they are too old or have another format. Never rejects. */
    async read(viewers: Viewers): Promise<Map<string, Counts>> {
      try {
        const { version, customers } = JSON.parse((await notes.read(nameOf(viewers))) ?? '{}')
        if (version !== VERSION) return new Map()
        const entries = Object.entries<Counts>(customers)
        return new Map(entries.map(([customerId, counts]) => [customerId, withoutOld(counts)]))
      } catch {
        return new Map()
      }
    },
    /** Never rejects. */
    write(viewers: Viewers, customers: ReadonlyMap<string, Counts>): Promise<void> {
      const text = JSON.stringify({ version: VERSION, customers: Object.fromEntries(customers) })
      return notes.write(nameOf(viewers), text, LIFETIME_MS)
    }
  }
}
