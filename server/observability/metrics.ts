// The figures for Prometheus, in a registry of one gateway's own. What they mean stands in the help of each.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import {
  AUTHORITY_ENDPOINTS,
  REFRESH_OUTCOMES,
  type Recorder,
  SIGN_IN_OUTCOMES,
  SIGNED_OUT_BY
} from './recorder.ts'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]
const CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const
/** What of an answer needs another remedy than the rest of its class. */
const ANSWERED = [...CLASSES, '401', '429', 'failed']
const STORE_FAILURES = ['timeout', 'read_only', 'unreachable', 'other'] as const

/** Of the figures that are read with every scrape. */
const LABELS = ['api', 'host', 'outcome', 'revision', 'version']
type Labelled = (readonly [labels: Record<string, string>, value: number])[]
type Read = () => number | Labelled | Promise<number | Labelled>

/** What runs here. */
export interface BuildInfo {
  version: string
  revision: string
}

export interface Metrics {
  recorder: Recorder
  /** The text format of Prometheus. */
  render(): Promise<string>
  contentType: string
  /** Adds what the whole process uses: memory, CPU, descriptors, garbage collection, event-loop lag. */
  watchProcess(): void
  /** Adds what runs here. */
  tellBuild(build: BuildInfo): void
  /** Adds when certificates end, in milliseconds since 1970, by host; asked with every scrape. */
  watchCertificates(ends: () => ReadonlyMap<string, number>): void
  /** Adds whether it may be sent calls, asked with every scrape. */
  watchReadiness(isReady: () => Promise<boolean>): void
}

export function createMetrics(): Metrics {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers })
  const histogram = (name: string, help: string, ...labelNames: string[]) =>
    new Histogram({ name, help, labelNames, buckets: SECONDS, registers })
  /** Figures that are read with every scrape. */
  function gauge(name: string, help: string, read: Read): void {
    const labelNames = LABELS
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        for (const [labels, value] of await labelled(read)) this.set(labels, value)
      }
    })
  }
  function total(name: string, help: string, read: Read): void {
    const labelNames = LABELS
    new Counter({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        this.reset()
        for (const [labels, value] of await labelled(read)) this.inc(labels, value)
      }
    })
  }

  const requests = histogram(
    'gateway_request_duration_seconds',
    'Requests by route and class of status; 499: the caller went',
    'route',
    'outcome'
  )
  const calls = histogram(
    'gateway_upstream_duration_seconds',
    'Upstream calls until their answer was read, by API and status: 401, 429, the class of any other; failed: there was no answer',
    'api',
    'outcome'
  )
  const authority = histogram(
    'gateway_authority_duration_seconds',
    'Calls to the identity provider, by endpoint and status as those of upstreams',
    'endpoint',
    'outcome'
  )
  const signIns = counter('gateway_sign_ins_total', 'Finished and failed sign-ins', 'outcome')
  const signOuts = counter(
    'gateway_sign_outs_total',
    'Sessions ended by the person, the authority or the upstream',
    'by'
  )
  const refreshes = histogram('gateway_token_refresh_seconds', 'Refreshes at the authority', 'outcome')
  const waits = histogram('gateway_lease_wait_seconds', "Waiting for another call's refresh")
  const store = counter('gateway_store_failures_total', 'Commands that the session store failed', 'outcome')
  const problems = counter('gateway_problems_total', 'Requests answered by a problem', 'problem')
  const rejections = counter(
    'gateway_unhandled_rejections_total',
    'Failures that no code awaited: mistakes in it'
  )
  for (const outcome of SIGN_IN_OUTCOMES) signIns.inc({ outcome }, 0)
  for (const by of SIGNED_OUT_BY) signOuts.inc({ by }, 0)
  for (const outcome of REFRESH_OUTCOMES) refreshes.zero({ outcome })
  for (const endpoint of AUTHORITY_ENDPOINTS)
    for (const outcome of ANSWERED) authority.zero({ endpoint, outcome })
  for (const outcome of STORE_FAILURES) store.inc({ outcome }, 0)
  const upstreamCalls = new Map<string, Parameters<Recorder['upstream']>[1]>()
  const ofUpstreams = (name: string, help: string, of: 'count' | 'waiting') =>
    gauge(name, help, () => [...upstreamCalls].map(([api, calls]) => [{ api }, calls[of]]))
  ofUpstreams('gateway_upstream_in_flight', 'Upstream calls under way, and those that wait', 'count')
  ofUpstreams('gateway_upstream_waiting', 'Upstream calls that wait for a connection', 'waiting')

  const recorder: Recorder = {
    route: (route) => byClass((outcome) => requests.labels({ route, outcome })),
    upstream(api, underWay) {
      upstreamCalls.set(api, underWay)
      const children = new Map(ANSWERED.map((outcome) => [outcome, calls.labels({ api, outcome })]))
      for (const outcome of ANSWERED) calls.zero({ api, outcome })
      return (status, ms) => children.get(answerOf(status))?.observe(ms / 1000)
    },
    authority: (endpoint, status, ms) =>
      authority.observe({ endpoint, outcome: answerOf(status) }, ms / 1000),
    sessions: (count) =>
      gauge(
        'gateway_sessions',
        'Sessions that have not ended, of all replicas; NaN while Redis is away',
        () => count().catch(() => Number.NaN)
      ),
    signInsWaiting: (count) =>
      gauge(
        'gateway_sign_ins_waiting',
        'Sign-ins that wait in line until the API is asked who the person is',
        count
      ),
    signIn: (outcome) => signIns.inc({ outcome }),
    signOut: (by, sessions) => signOuts.inc({ by }, sessions),
    refresh: (outcome, ms) => refreshes.observe({ outcome }, ms / 1000),
    leaseWait: (ms) => waits.observe(ms / 1000),
    storeFailed: (error) => store.inc({ outcome: kindOf(error) }),
    problem: (problem) => problems.inc({ problem }),
    rejectionUnhandled: () => rejections.inc(),
    snapshots(stats) {
      gauge('gateway_snapshots', 'Customers kept, each for one visibility', () => stats().entries)
      gauge('gateway_snapshot_bytes', 'Bytes that they take, as estimated', () => stats().bytes)
      gauge('gateway_snapshot_oldest_seconds', 'Age of the oldest one', () => stats().oldestMs / 1000)
      total(
        'gateway_snapshot_reads_total',
        'Reads of a customer: hit when it was kept, miss when it had to be fetched',
        () => [
          [{ outcome: 'hit' }, stats().hits],
          [{ outcome: 'miss' }, stats().misses]
        ]
      )
    },
    inventoryWorker(stats) {
      gauge(
        'gateway_inventory_worker_up',
        'Whether the thread that assembles customers runs; it starts with the first call for one',
        async () => Number((await stats()).isUp)
      )
      gauge('gateway_inventory_worker_heap_bytes', 'Heap that it uses', async () => (await stats()).heapBytes)
      gauge(
        'gateway_inventory_worker_waiting',
        'Questions that it has not answered yet',
        async () => (await stats()).waiting
      )
      total(
        'gateway_inventory_worker_deaths_total',
        'How often it has died',
        async () => (await stats()).deaths
      )
    }
  }

  return {
    recorder,
    render: () => registry.metrics(),
    contentType: registry.contentType,
    watchProcess: () => collectDefaultMetrics({ register: registry }),
    tellBuild: (build) => gauge('gateway_build_info', 'What runs here', () => [[{ ...build }, 1]]),
    watchCertificates: (ends) =>
      gauge(
        'gateway_certificate_expiry_timestamp_seconds',
        'When the certificate of a server ends, in seconds since 1970',
        () => [...ends()].map(([host, ms]) => [{ host }, ms / 1000])
      ),
    watchReadiness: (isReady) =>
      gauge('gateway_ready', 'Whether it may be sent calls, as /readyz says', async () =>
        Number(await isReady())
      )
  }
}

async function labelled(read: Read): Promise<Labelled> {
  const found = await read()
  return typeof found === 'number' ? [[{}, found]] : found
}

interface Child {
  observe(seconds: number): void
}

function answerOf(status: number | undefined): string {
  if (status === undefined) return 'failed'
  return status === 401 || status === 429 ? `${status}` : `${Math.min(Math.trunc(status / 100), 5)}xx`
}

/** Labels are resolved once, for this runs with every request. */
function byClass(childOf: (outcome: string) => Child): (status: number, ms: number) => void {
  const children = CLASSES.map((outcome) => childOf(outcome))
  const gone = childOf('499')
  return (status, ms) => {
    const child = status === 499 ? gone : children[Math.min(Math.trunc(status / 100), 5) - 2]
    child?.observe(ms / 1000)
  }
}

/** Errors of ioredis differ in their texts alone. */
function kindOf(error: unknown): (typeof STORE_FAILURES)[number] {
  const { message = '' } = (error ?? {}) as { message?: string }
  if (/timed out/i.test(message)) return 'timeout'
  if (/^(?:READONLY|NOREPLICAS|MISCONF|OOM)/.test(message)) return 'read_only'
  return /closed|connect|writeable|ECONN|retries/i.test(message) ? 'unreachable' : 'other'
}
