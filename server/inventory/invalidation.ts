// Word of changed customers, from the replica that changed one to all others. It may get lost: what is kept is fresh for
// half a minute only.

export interface Invalidations {
  /** Tells the others; never fails, and is not waited for. */
  publish(customerId: string): void
  /** Hears what others tell, not what was told here. */
  onChange(listener: (customerId: string) => void): void
  close(): Promise<void>
}

/** For one process alone: there are no others. */
export function noInvalidations(): Invalidations {
  return { publish() {}, onChange() {}, close: async () => {} }
}
