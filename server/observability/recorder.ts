// What is recorded of the gateway's own work: plain functions that count. Where the figures go is decided by who makes the
// recorder; metrics.ts makes the one for Prometheus.
import type { Api } from '../config/settings.ts'

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

/** What a label may say; each is counted from zero, so that the first one is a change. */
export const SIGN_IN_OUTCOMES = [
  'done',
  'expired',
  'denied',
  'refused',
  'misconfigured',
  'failed',
  'unavailable',
  'slow'
] as const
export const SIGNED_OUT_BY = ['person', 'authority', 'upstream', 'no_refresh_token'] as const
export const REFRESH_OUTCOMES = ['done', 'refused', 'failed'] as const
export const AUTHORITY_ENDPOINTS = ['discovery', 'keys', 'token', 'revocation'] as const
export type AuthorityEndpoint = (typeof AUTHORITY_ENDPOINTS)[number]

export interface WorkerStats {
  isUp: boolean
  /** Since the start. */
  deaths: number
  /** Questions that are not answered yet. */
  waiting: number
  heapBytes: number
}

export interface Recorder {
  /** Takes an answered request of a route. Asked for once for each route, for it is called with every request. */
  route(id: string): (status: number, took: Took) => void
  /** Takes an answered call of an upstream, or one without an answer. @param calls those that run or wait, and those that wait */
  upstream(
    api: Api,
    calls: { readonly count: number; readonly waiting: number }
  ): (status: number | undefined, took: Took) => void
  /** A call to the identity provider was answered, or was not. */
  authority(endpoint: AuthorityEndpoint, status: number | undefined, took: Took): void
  /** Takes how to count the sessions that have not ended, on all replicas together. */
  sessions(count: () => Promise<number>): void
  /** Takes how to count the sign-ins that wait in line. */
  signInsWaiting(count: () => number): void
  signIn(outcome: (typeof SIGN_IN_OUTCOMES)[number]): void
  /** Sessions that ended: by whom, and how many. */
  signOut(by: (typeof SIGNED_OUT_BY)[number], sessions: number): void
  refresh(outcome: (typeof REFRESH_OUTCOMES)[number], took: Took): void
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
  /** Where the figures of the inventory's worker thread can be read. */
  inventoryWorker(stats: () => Promise<WorkerStats>): void
}

const nothing = () => {}

export const NO_RECORDER: Recorder = {
  route: () => nothing,
  upstream: () => nothing,
  authority: nothing,
  sessions: nothing,
  signInsWaiting: nothing,
  signIn: nothing,
  signOut: nothing,
  refresh: nothing,
  leaseWait: nothing,
  storeFailed: nothing,
  problem: nothing,
  rejectionUnhandled: nothing,
  snapshots: nothing,
  inventoryWorker: nothing
}
