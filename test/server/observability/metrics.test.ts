import t from 'tap'
import { createMetrics } from '#server/observability/metrics.ts'

function figuresAfter(work: (metrics: ReturnType<typeof createMetrics>) => void) {
  const metrics = createMetrics()
  work(metrics)
  return async (line: string) => {
    const metric = (await metrics.render()).split('\n').find((row) => row.startsWith(`${line} `))
    return metric === undefined ? undefined : Number(metric.slice(line.length + 1))
  }
}

t.test('every counter is zero before the first event', async (t) => {
  const figure = figuresAfter(({ recorder }) => void recorder.upstream('EGRESS', { count: 0, waiting: 0 }))
  const labels = {
    gateway_sign_ins_total: ['outcome', 'done', 'expired', 'denied', 'refused', 'unavailable'],
    gateway_sign_outs_total: ['by', 'person', 'authority', 'upstream'],
    gateway_token_refresh_seconds_count: ['outcome', 'done', 'refused', 'failed'],
    gateway_store_failures_total: ['outcome', 'timeout', 'read_only', 'unreachable', 'other'],
    gateway_upstream_duration_seconds_count: ['api="EGRESS",outcome', '2xx', '3xx', '4xx', '5xx', 'failed']
  }
  const lines = Object.entries(labels).flatMap(([name, [label, ...values]]) =>
    values.map((value) => `${name}{${label}="${value}"}`)
  )
  for (const line of lines) t.equal(await figure(line), 0, line)
})

t.test('measures requests by route and status class, in seconds', async (t) => {
  const figure = figuresAfter(({ recorder }) => {
    const observe = recorder.route('a.b')
    for (const status of [200, 204, 299, 304, 400, 404, 499, 500, 503]) observe(status, 12)
  })
  const labels = (outcome: string) => `route="a.b",outcome="${outcome}"`
  for (const [outcome, times] of Object.entries({ '2xx': 3, '3xx': 1, '4xx': 2, '499': 1, '5xx': 2 }))
    t.equal(await figure(`gateway_request_duration_seconds_count{${labels(outcome)}}`), times, outcome)
  const bucket = (seconds: string) =>
    `gateway_request_duration_seconds_bucket{le="${seconds}",${labels('2xx')}}`
  t.equal(await figure(bucket('0.01')), 0)
  t.equal(await figure(bucket('0.025')), 3)
})

t.test('counts upstream calls by API, even those without an answer', async (t) => {
  const calls = { count: 3, waiting: 1 }
  const answers = [200, 400, 401, 429, 503, undefined]
  const figure = figuresAfter(({ recorder }) => {
    const observe = recorder.upstream('EGRESS', calls)
    for (const status of answers) {
      observe(status, 5)
      recorder.authority('token', status, 5)
    }
  })
  for (const outcome of ['2xx', '4xx', '401', '429', '5xx', 'failed']) {
    t.equal(await figure(`gateway_upstream_duration_seconds_count{api="EGRESS",outcome="${outcome}"}`), 1)
    const labels = `endpoint="token",outcome="${outcome}"`
    t.equal(await figure(`gateway_authority_duration_seconds_count{${labels}}`), 1, outcome)
  }
  t.equal(await figure('gateway_upstream_in_flight{api="EGRESS"}'), 3)
  t.equal(await figure('gateway_upstream_waiting{api="EGRESS"}'), 1)
  calls.count = 0
  t.equal(await figure('gateway_upstream_in_flight{api="EGRESS"}'), 0)
})

t.test('distinguishes failures of the store by their messages', async (t) => {
  const kinds: [outcome: string, ...messages: string[]][] = [
    ['timeout', 'Command timed out'],
    ['read_only', "READONLY You can't write against a read only replica.", 'OOM command not allowed'],
    [
      'unreachable',
      'Connection is closed.',
      "Stream isn't writeable and enableOfflineQueue options is false"
    ],
    ['other', 'WRONGTYPE Operation against a key']
  ]
  const figure = figuresAfter(({ recorder }) => {
    for (const [, ...messages] of kinds)
      for (const message of messages) recorder.storeFailed(new Error(message))
  })
  for (const [outcome, ...messages] of kinds)
    t.equal(await figure(`gateway_store_failures_total{outcome="${outcome}"}`), messages.length, outcome)
})

t.test('reads gauges when Prometheus scrapes them', async (t) => {
  let ready = false
  let sessions: number | null = 7
  const snapshots = { entries: 2, bytes: 8192, hits: 5, misses: 2, oldestMs: 1500 }
  const worker = { isUp: false, deaths: 2, waiting: 3, heapBytes: 4096 }
  const figure = figuresAfter(({ recorder, setBuild, watchReadiness, watchProcess }) => {
    setBuild({ version: '1.1.0', revision: 'abc' })
    watchReadiness(async () => ready)
    watchProcess()
    recorder.sessions(async () => {
      if (sessions === null) throw new Error('Redis fails')
      return sessions
    })
    recorder.snapshots(() => snapshots)
    recorder.inventoryWorker(async () => worker)
  })
  const expected = {
    'gateway_build_info{version="1.1.0",revision="abc"}': 1,
    gateway_ready: 0,
    gateway_sessions: 7,
    gateway_snapshot_oldest_seconds: 1.5,
    'gateway_snapshot_reads_total{outcome="miss"}': 2,
    gateway_inventory_worker_up: 0,
    gateway_inventory_worker_deaths_total: 2
  }
  for (const [line, value] of Object.entries(expected)) t.equal(await figure(line), value, line)
  ready = true
  worker.isUp = true
  snapshots.hits = 6
  t.equal(await figure('gateway_ready'), 1)
  t.equal(await figure('gateway_inventory_worker_up'), 1)
  t.equal(await figure('gateway_snapshot_reads_total{outcome="hit"}'), 6, 'counts the total')
  sessions = null
  t.ok(Number.isNaN(await figure('gateway_sessions')), 'is NaN while Redis fails')
  const names = ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes', 'process_open_fds']
  for (const name of names) t.ok((await figure(name)) !== undefined, name)
})
