// The interface by which the gateway records its own work. metrics.ts implements it for Prometheus.
import type { Api } from '../config/settings.ts'

/** Duration in milliseconds. */
type Took = number

export interface SnapshotStats {
  /** Customers kept, each for one visibility. */
  entries: number
  bytes: number
  /** Since the start. */
  hits: number
  misses: number
  /** Age of the oldest snapshot; 0 without any. */
  oldestMs: number
}

/** Label values. Each counter starts at zero, so that its first increment is visible. */
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
  /** Pending questions. */
  waiting: number
  heapBytes: number
}

export interface Recorder {
  /** Returns the function that records the requests of a route. */
  route(id: string): (status: number, took: Took) => void
  /** Returns the function that records calls of an upstream. @param calls its running and waiting calls */
  upstream(
    api: Api,
    calls: { readonly count: number; readonly waiting: number }
  ): (status: number | undefined, took: Took) => void
  /** Records a call to the identity provider; without a status it failed. */
  authority(endpoint: AuthorityEndpoint, status: number | undefined, took: Took): void
  /** Registers the count of active sessions across all replicas. */
  sessions(count: () => Promise<number>): void
  /** Registers the count of queued sign-ins. */
  signInsWaiting(count: () => number): void
  signIn(outcome: (typeof SIGN_IN_OUTCOMES)[number]): void
  signOut(by: (typeof SIGNED_OUT_BY)[number], sessions: number): void
  refresh(outcome: (typeof REFRESH_OUTCOMES)[number], took: Took): void
  /** Records how long a call waited for a refresh by another call. */
  leaseWait(took: Took): void
  /** Records a failed command of the session store. */
  storeFailed(error: unknown): void
  /** Records a request answered by a problem. */
  problem(id: string): void
  /** Records an unhandled promise rejection. */
  rejectionUnhandled(): void
  /** Registers the source of the snapshot figures. */
  snapshots(stats: () => SnapshotStats): void
  /** Registers the source of the inventory worker's figures. */
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
