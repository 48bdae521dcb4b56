// Records the gateway's metrics, which their help texts explain. Durations are in milliseconds.
import type { Api } from '../config/settings.ts'
import type { Figures } from './figures.ts'

const CLASSES = ['2xx', '3xx', '4xx', '5xx']
/** Outcomes of calls: classes of status, and `failed` without an answer. Operators handle 401 and 429 differently. */
const ANSWERED = [...CLASSES, '401', '429', 'failed']
const STORE_FAILURES = ['timeout', 'read_only', 'unreachable', 'other'] as const
const SIGN_IN_OUTCOMES = [
  'done',
  'expired',
  'denied',
  'refused',
  'misconfigured',
  'failed',
  'unavailable',
  'slow',
  'busy'
] as const
const SIGNED_OUT_BY = ['person', 'authority', 'upstream', 'no_refresh_token'] as const
const CLOCK_REFUSALS = ['jumps', 'stands still'] as const
/** `time` and `claims`: the authority signed the token. Anyone can cause the other reasons. */
const LOGOUT_REFUSALS = ['form', 'signature', 'time', 'claims', 'used'] as const
const REFRESH_OUTCOMES = ['done', 'refused', 'failed'] as const
const AUTHORITY_ENDPOINTS = ['discovery', 'keys', 'token', 'revocation'] as const

const LIVE_EVENTS = ['alarms', 'counts', 'inventory', 'roles', 'end'] as const

export type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number]
type SignedOutBy = (typeof SIGNED_OUT_BY)[number]
/** Why a reading of Redis's clock is refused. */
export type ClockRefusal = (typeof CLOCK_REFUSALS)[number]
export type LogoutRefusal = (typeof LOGOUT_REFUSALS)[number]
type RefreshOutcome = (typeof REFRESH_OUTCOMES)[number]
export type AuthorityEndpoint = (typeof AUTHORITY_ENDPOINTS)[number]

export interface SnapshotStats {
  /** Number of customers in memory, counted once for each visibility. */
  entries: number
  bytes: number
  /** Since the start. */
  hits: number
  misses: number
  /** Age of the oldest snapshot; 0 if there is none. */
  oldestMs: number
}

export interface WorkerStats {
  isUp: boolean
  /** Since the start. */
  deaths: number
  /** Messages to the worker that have no answer yet. */
  waiting: number
  heapBytes: number
}

/** The running and waiting calls of an upstream. */
interface UnderWay {
  readonly count: number
  readonly waiting: number
}

export type Recorder = ReturnType<typeof callRecorder> &
  ReturnType<typeof authRecorder> &
  ReturnType<typeof inventoryRecorder> &
  ReturnType<typeof liveRecorder>

export const createRecorder = (figures: Figures): Recorder => ({
  ...callRecorder(figures),
  ...authRecorder(figures),
  ...inventoryRecorder(figures),
  ...liveRecorder(figures)
})

function callRecorder({ counter, gauge, histogram, tracedHistogram }: Figures) {
  const requests = tracedHistogram(
    'gateway_request_duration_seconds',
    'Requests by route and class of status; 499: the client disconnected',
    'route',
    'outcome'
  )
  const calls = histogram(
    'gateway_upstream_duration_seconds',
    'Upstream calls until their answer was read, by API and status: 401, 429, otherwise its class; failed: no answer',
    'api',
    'outcome'
  )
  const problems = counter('gateway_problems_total', 'Requests answered by a problem', 'problem')
  const rejections = counter('gateway_unhandled_rejections_total', 'Rejected promises that no code handled')
  const upstreams = new Map<string, UnderWay>()
  const ofUpstreams = (name: string, help: string, field: keyof UnderWay) =>
    gauge(name, help, () => [...upstreams].map(([api, underWay]) => [{ api }, underWay[field]]))
  ofUpstreams('gateway_upstream_in_flight', 'Running and waiting upstream calls', 'count')
  ofUpstreams('gateway_upstream_waiting', 'Upstream calls that wait for a connection', 'waiting')

  return {
    /** Returns the function that records the requests of a route. */
    route(route: string) {
      const observers = new Map([...CLASSES, '499'].map((outcome) => [outcome, requests({ route, outcome })]))
      return (status: number, ms: number, traceId?: string) =>
        observers.get(status === 499 ? '499' : classOf(status))?.(ms / 1000, traceId)
    },
    /** Returns the function that records calls of an upstream; without a status there was no answer. */
    upstream(api: Api, underWay: UnderWay) {
      upstreams.set(api, underWay)
      for (const outcome of ANSWERED) calls.zero({ api, outcome })
      const observe = byOutcome(ANSWERED, (outcome) => calls.labels({ api, outcome }))
      return (status: number | undefined, ms: number) => observe(answerOf(status), ms)
    },
    /** Records a request answered by a problem. */
    problem: (problem: string) => problems.inc({ problem }),
    rejectionUnhandled: () => rejections.inc()
  }
}

function authRecorder({ counter, gauge, histogram }: Figures) {
  const authority = histogram(
    'gateway_authority_duration_seconds',
    'Calls to the identity provider, by endpoint and status as for upstreams',
    'endpoint',
    'outcome'
  )
  const signIns = counter('gateway_sign_ins_total', 'Finished and failed sign-ins', 'outcome')
  const signOuts = counter(
    'gateway_sign_outs_total',
    'Sessions ended by the person, the authority or the upstream',
    'by'
  )
  const refusedLogouts = counter(
    'gateway_logout_tokens_refused_total',
    'Refused logout tokens of back-channel logout; time and claims: the authority signed the token',
    'reason'
  )
  const refusedClocks = counter(
    'gateway_clock_readings_refused_total',
    "Readings of Redis's clock that the gateway does not use: it jumps, or stands still",
    'reason'
  )
  const refreshes = histogram('gateway_token_refresh_seconds', 'Refreshes at the authority', 'outcome')
  const waits = histogram('gateway_lease_wait_seconds', "Time of waiting for another call's refresh")
  const store = counter('gateway_store_failures_total', 'Failed commands of the session store', 'outcome')
  // Start at zero, so that Prometheus sees the first increment.
  for (const outcome of SIGN_IN_OUTCOMES) signIns.inc({ outcome }, 0)
  for (const by of SIGNED_OUT_BY) signOuts.inc({ by }, 0)
  for (const reason of LOGOUT_REFUSALS) refusedLogouts.inc({ reason }, 0)
  for (const reason of CLOCK_REFUSALS) refusedClocks.inc({ reason }, 0)
  for (const outcome of REFRESH_OUTCOMES) refreshes.zero({ outcome })
  for (const endpoint of AUTHORITY_ENDPOINTS)
    for (const outcome of ANSWERED) authority.zero({ endpoint, outcome })
  for (const outcome of STORE_FAILURES) store.inc({ outcome }, 0)

  return {
    /** Records a call to the identity provider; without a status there was no answer. */
    authority: (endpoint: AuthorityEndpoint, status: number | undefined, ms: number) =>
      authority.observe({ endpoint, outcome: answerOf(status) }, ms / 1000),
    signIn: (outcome: SignInOutcome) => signIns.inc({ outcome }),
    signOut: (by: SignedOutBy, sessions: number) => signOuts.inc({ by }, sessions),
    clockRefused: (reason: ClockRefusal) => refusedClocks.inc({ reason }),
    logoutRefused: (reason: LogoutRefusal) => refusedLogouts.inc({ reason }),
    refresh: (outcome: RefreshOutcome, ms: number) => refreshes.observe({ outcome }, ms / 1000),
    /** Records how long a call waited for a refresh by another call. */
    leaseWait: (ms: number) => waits.observe(ms / 1000),
    /** Records a failed command of the session store. */
    storeFailed: (error: unknown) => store.inc({ outcome: storeFailure(error) }),
    sessions: (count: () => Promise<number>) =>
      gauge('gateway_sessions', 'Active sessions of all replicas; NaN while Redis is unreachable', () =>
        count().catch(() => Number.NaN)
      ),
    signInsWaiting: (count: () => number) =>
      gauge('gateway_sign_ins_waiting', 'Sign-ins that wait before their code is spent', count)
  }
}

function inventoryRecorder({ gauge, total }: Figures) {
  return {
    snapshots(stats: () => SnapshotStats) {
      gauge('gateway_snapshots', 'Customers in memory, one for each visibility', () => stats().entries)
      gauge('gateway_snapshot_bytes', 'Estimated size of the customers in memory', () => stats().bytes)
      gauge(
        'gateway_snapshot_oldest_seconds',
        'Age of the oldest customer in memory',
        () => stats().oldestMs / 1000
      )
      total(
        'gateway_snapshot_reads_total',
        'Reads of a customer: hit if it was in memory, miss if it was fetched',
        () => [
          [{ outcome: 'hit' }, stats().hits],
          [{ outcome: 'miss' }, stats().misses]
        ]
      )
    },
    inventoryWorker(stats: () => Promise<WorkerStats>) {
      const name = (suffix: string) => `gateway_inventory_worker_${suffix}`
      gauge(
        name('up'),
        'Whether the inventory worker runs; it starts with the first call for a customer',
        async () => Number((await stats()).isUp)
      )
      gauge(name('heap_bytes'), 'Heap of the inventory worker', async () => (await stats()).heapBytes)
      gauge(name('waiting'), 'Pending messages to the inventory worker', async () => (await stats()).waiting)
      total(name('deaths_total'), 'Crashes of the inventory worker', async () => (await stats()).deaths)
    }
  }
}

function liveRecorder({ counter, gauge }: Figures) {
  const events = counter('gateway_live_events_total', 'Events sent in live streams', 'event')
  for (const event of LIVE_EVENTS) events.inc({ event }, 0)
  return {
    live({ streams, lateCustomers }: { streams: () => number; lateCustomers: () => number }) {
      gauge('gateway_live_streams', 'Open live streams', streams)
      gauge(
        'gateway_live_alarms_late',
        'Watched customers whose alarms are read less often than they should, once for each visibility',
        lateCustomers
      )
    },
    liveEvent: (event: (typeof LIVE_EVENTS)[number]) => events.inc({ event })
  }
}

/** Resolves the labels once, because looking them up for every call is slow. */
function byOutcome(outcomes: string[], childOf: (outcome: string) => { observe(seconds: number): void }) {
  const children = new Map(outcomes.map((outcome) => [outcome, childOf(outcome)]))
  return (outcome: string, ms: number) => children.get(outcome)?.observe(ms / 1000)
}

const classOf = (status: number) => `${Math.min(Math.trunc(status / 100), 5)}xx`

function answerOf(status: number | undefined): string {
  if (status === undefined) return 'failed'
  return status === 401 || status === 429 ? `${status}` : classOf(status)
}

/** Errors of ioredis differ only in their messages. */
function storeFailure(error: unknown): (typeof STORE_FAILURES)[number] {
  const { message = '' } = (error ?? {}) as { message?: string }
  if (/timed out/i.test(message)) return 'timeout'
  if (/^(?:READONLY|NOREPLICAS|MISCONF|OOM)/.test(message)) return 'read_only'
  return /closed|connect|writeable|ECONN|retries/i.test(message) ? 'unreachable' : 'other'
}
