// Numbers the changes of customers, and tells the streams of this replica about them.
import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const CUSTOMERS_MAX = 10_000

export type Changes = ReturnType<typeof createChanges>

export function createChanges() {
  /** Tags of different processes differ, because a change may have happened while the reader was not connected. */
  const processTag = randomUUID().slice(0, 8)
  const numbers = new LRUCache<string, number>({ max: CUSTOMERS_MAX })
  const listeners = new Set<(customerId: string) => void>()
  let changeCount = 0

  return {
    changed(customerId: string): void {
      changeCount += 1
      numbers.set(customerId, changeCount)
      for (const listener of listeners) listener(customerId)
    },
    /** Changes with each of these customers. */
    tagOf(customerIds: Iterable<string>): string {
      let newest = 0
      for (const id of customerIds) newest = Math.max(newest, numbers.peek(id) ?? 0)
      return `${processTag}-${newest}`
    },
    /** Returns the function that removes the listener. */
    onChange(listener: (customerId: string) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
  }
}
