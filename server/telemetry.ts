// What the gateway tells of its own work, in its own words: plain functions that count. Where the figures go is not
// known here; without a listener they go nowhere.
import type { Api } from './config.ts'

/** Milliseconds since it began. */
type Took = number

export interface SnapshotStats {
  /** Customers kept, each for one visibility. */
  entries: number
  bytes: number
  /** Answered from what was kept, and not, since the start. */
  hits: number
  misses: number
  /** Age of the oldest one; 0 when there is none. */
  oldestMs: number
}

export interface Telemetry {
  /** Takes an answered request of a route. Asked for once for each route, for it is called with every request. */
  route(id: string): (status: number, took: Took) => void
  /** Takes an answered call of an upstream, or one without an answer; `underWay` tells how many run now. */
  upstream(api: Api, underWay: () => number): (status: number | undefined, took: Took) => void
  signIn(outcome: 'done' | 'expired' | 'refused' | 'unavailable'): void
  /** Sessions that ended: by whom, and how many. */
  signOut(by: 'person' | 'authority' | 'upstream', sessions: number): void
  refresh(outcome: 'done' | 'refused' | 'failed', took: Took): void
  /** How long a call waited for another one's refresh. */
  leaseWait(took: Took): void
  /** The session store failed a command. */
  storeFailed(error: unknown): void
  /** A request was answered by a problem of that id. */
  problem(id: string): void
  /** A promise was rejected that nobody waited for: a mistake in the code, of no call in particular. */
  rejectionUnhandled(): void
  /** Where the figures of the snapshots can be read. */
  snapshots(stats: () => SnapshotStats): void
}

const nothing = () => {}

export const NO_TELEMETRY: Telemetry = {
  route: () => nothing,
  upstream: () => nothing,
  signIn: nothing,
  signOut: nothing,
  refresh: nothing,
  leaseWait: nothing,
  storeFailed: nothing,
  problem: nothing,
  rejectionUnhandled: nothing,
  snapshots: nothing
}
