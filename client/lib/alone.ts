/**
 * Runs the work while no other tab of this browser runs work of that name; it waits for its turn until the signal says
 * otherwise. A browser without locks, as at an address without TLS, runs it at once.
 */
export async function alone(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return work()
  try {
    await navigator.locks.request(name, { signal }, work)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
