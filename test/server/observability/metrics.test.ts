import t from 'tap'
import { createMetrics } from '#server/observability/metrics.ts'

/** The value of one line of the text format. */
async function figure(text: Promise<string>, line: string): Promise<number | undefined> {
  const found = (await text).split('\n').find((one) => one.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length + 1))
}

t.test('two gateways in one process count apart', async (t) => {
  const [one, other] = [createMetrics(), createMetrics()]
  one.recorder.signIn('done')
  t.equal(await figure(one.render(), 'gateway_sign_ins_total{outcome="done"}'), 1)
  t.equal(await figure(other.render(), 'gateway_sign_ins_total{outcome="done"}'), 0)
})

t.test('what can be counted is counted from zero, so that the first one is a change', async (t) => {
  const { recorder, render } = createMetrics()
  recorder.upstream('EGRESS', () => 0)
  const lines = [
    ...['done', 'expired', 'denied', 'refused', 'unavailable'].map(
      (outcome) => `gateway_sign_ins_total{outcome="${outcome}"}`
    ),
    ...['person', 'authority', 'upstream'].map((by) => `gateway_sign_outs_total{by="${by}"}`),
    ...['done', 'refused', 'failed'].map((one) => `gateway_token_refresh_seconds_count{outcome="${one}"}`),
    ...['timeout', 'read_only', 'unreachable', 'other'].map(
      (one) => `gateway_store_failures_total{outcome="${one}"}`
    ),
    ...['2xx', '3xx', '4xx', '5xx', 'failed'].map(
      (one) => `gateway_upstream_duration_seconds_count{api="EGRESS",outcome="${one}"}`
    )
  ]
  for (const line of lines) t.equal(await figure(render(), line), 0, line)
})

t.test('what runs here is told, and whether it is ready as often as it is asked', async (t) => {
  const { render, tellBuild, watchReadiness } = createMetrics()
  let ready = false
  tellBuild({ version: '1.1.0', revision: 'abc' })
  watchReadiness(async () => ready)
  t.equal(await figure(render(), 'gateway_build_info{version="1.1.0",revision="abc"}'), 1)
  t.equal(await figure(render(), 'gateway_ready'), 0)
  ready = true
  t.equal(await figure(render(), 'gateway_ready'), 1)
})

t.test('requests are counted by route and class of status', async (t) => {
  const { recorder, render } = createMetrics()
  const count = (outcome: string) =>
    figure(render(), `gateway_request_duration_seconds_count{route="a.b",outcome="${outcome}"}`)
  const observe = recorder.route('a.b')
  for (const status of [200, 204, 299, 304, 400, 404, 499, 500, 503]) observe(status, 12)
  for (const [outcome, times] of Object.entries({ '2xx': 3, '3xx': 1, '4xx': 2, '499': 1, '5xx': 2 }))
    t.equal(await count(outcome), times, outcome)
  const within = (seconds: string) =>
    figure(render(), `gateway_request_duration_seconds_bucket{le="${seconds}",route="a.b",outcome="2xx"}`)
  t.equal(await within('0.01'), 0)
  t.equal(await within('0.025'), 3, 'milliseconds become seconds')
})

t.test('upstream calls are counted by API, those without an answer too', async (t) => {
  const { recorder, render } = createMetrics()
  let underWay = 3
  const observe = recorder.upstream('EGRESS', () => underWay)
  observe(200, 5)
  observe(undefined, 5)
  const count = (outcome: string) =>
    figure(render(), `gateway_upstream_duration_seconds_count{api="EGRESS",outcome="${outcome}"}`)
  t.equal(await count('2xx'), 1)
  t.equal(await count('failed'), 1)
  t.equal(await figure(render(), 'gateway_upstream_in_flight{api="EGRESS"}'), 3)
  underWay = 0
  t.equal(await figure(render(), 'gateway_upstream_in_flight{api="EGRESS"}'), 0, 'as it is now')
})

t.test('failures of the store are told apart', async (t) => {
  const { recorder, render } = createMetrics()
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
  for (const [, ...messages] of kinds)
    for (const message of messages) recorder.storeFailed(new Error(message))
  for (const [outcome, ...messages] of kinds)
    t.equal(
      await figure(render(), `gateway_store_failures_total{outcome="${outcome}"}`),
      messages.length,
      outcome
    )
})

t.test('snapshots are told as they are when somebody asks', async (t) => {
  const { recorder, render } = createMetrics()
  const stats = { entries: 2, bytes: 8192, hits: 5, misses: 2, oldestMs: 1500 }
  recorder.snapshots(() => stats)
  t.equal(await figure(render(), 'gateway_snapshots'), 2)
  t.equal(await figure(render(), 'gateway_snapshot_bytes'), 8192)
  t.equal(await figure(render(), 'gateway_snapshot_oldest_seconds'), 1.5)
  stats.hits = 6
  t.equal(await figure(render(), 'gateway_snapshot_reads_total{outcome="hit"}'), 6, 'not added up twice')
  t.equal(await figure(render(), 'gateway_snapshot_reads_total{outcome="miss"}'), 2)
})

t.test('the inventory worker is told as it is when somebody asks', async (t) => {
  const { recorder, render } = createMetrics()
  const stats = { isUp: false, deaths: 0, waiting: 0, heapBytes: 0 }
  recorder.inventoryWorker(async () => stats)
  t.equal(await figure(render(), 'gateway_inventory_worker_up'), 0)
  Object.assign(stats, { isUp: true, deaths: 2, waiting: 3, heapBytes: 4096 })
  t.equal(await figure(render(), 'gateway_inventory_worker_up'), 1)
  t.equal(await figure(render(), 'gateway_inventory_worker_deaths_total'), 2)
  t.equal(await figure(render(), 'gateway_inventory_worker_waiting'), 3)
  t.equal(await figure(render(), 'gateway_inventory_worker_heap_bytes'), 4096)
})

t.test('sign-outs, refreshes and waiting for them are counted', async (t) => {
  const { recorder, render } = createMetrics()
  recorder.signOut('authority', 3)
  recorder.refresh('failed', 20)
  recorder.leaseWait(60)
  recorder.problem('upstream_busy')
  t.equal(await figure(render(), 'gateway_sign_outs_total{by="authority"}'), 3)
  t.equal(await figure(render(), 'gateway_token_refresh_seconds_count{outcome="failed"}'), 1)
  t.equal(await figure(render(), 'gateway_lease_wait_seconds_sum'), 0.06)
  t.equal(await figure(render(), 'gateway_problems_total{problem="upstream_busy"}'), 1)
})

t.test('the process tells of its loop, its memory and its descriptors', async (t) => {
  const metrics = createMetrics()
  metrics.watchProcess()
  const text = await metrics.render()
  for (const name of [
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'process_open_fds'
  ])
    t.match(text, new RegExp(`^${name} `, 'm'))
})
