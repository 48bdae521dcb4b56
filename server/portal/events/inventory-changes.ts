// Tells the streams of this replica which customers' projects or devices have changed, here or at another replica.
import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const CUSTOMERS_MAX = 10_000

export type InventoryChanges = ReturnType<typeof createInventoryChanges>

export function createInventoryChanges() {
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
    /** Changes with the customer's projects and devices. */
    tagOf: (customerId: string): string => `${processTag}-${numbers.get(customerId) ?? 0}`,
    /** Returns the function that removes the listener. */
    onChange(listener: (customerId: string) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
  }
}
