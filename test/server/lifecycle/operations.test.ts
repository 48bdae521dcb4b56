// Health and metrics of a gateway, as balancers and Prometheus read them.
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { buildOperations } from '#server/lifecycle/operations.ts'
import { createMetrics } from '#server/observability/metrics.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Portal, type PortalOptions, startPortal } from '#test/support/portal.ts'
import { eventually, startRedis } from '../../support/redis-server.ts'
import { openSandbox } from '../../support/scenes/gateway.ts'
import { startTinyUpstream } from '../../support/tiny-upstream.ts'

const ME = '/api/v2/management/myUser'

interface OperatedPortal extends Portal {
  operations: string
  ready(): Promise<{ status: number; body: Ready }>
  metric(line: string): Promise<number | undefined>
}

interface Ready {
  ready: boolean
  draining: boolean
  checks: Record<string, string>
  upstreams: Record<string, string>
}

const sandbox = await openSandbox(t)

async function startWithOperations(t: Test, options: PortalOptions = {}): Promise<OperatedPortal> {
  const metrics = createMetrics()
  const portal = await startPortal(t, { startedSandbox: sandbox, ...options, recorder: metrics.recorder })
  const { app, config } = portal
  const operations = await buildOperations({ app, config, metrics, clock: options.clock ?? Date.now })
  await operations.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => operations.close())
  const url = `http://127.0.0.1:${(operations.server.address() as AddressInfo).port}`
  return {
    ...portal,
    operations: url,
    async ready() {
      const answer = await fetch(`${url}/readyz`)
      return { status: answer.status, body: (await answer.json()) as Ready }
    },
    async metric(line) {
      const text = await (await fetch(`${url}/metrics`)).text()
      const metric = text.split('\n').find((row) => row.startsWith(`${line} `))
      return metric === undefined ? undefined : Number(metric.slice(line.length + 1))
    }
  }
}

t.test('is alive but not ready until it has reached the authority, and reports the reason', async (t) => {
  const sandbox = await openSandbox(t, { faults: 'oidc-discovery:503' })
  const portal = await startWithOperations(t, { startedSandbox: sandbox })
  t.equal((await fetch(`${portal.operations}/healthz`)).status, 200)
  const { status, body } = await portal.ready()
  t.equal(status, 503)
  const authority = /^its discovery document is invalid .*OIDC_ISSUER/
  t.match(body, { ready: false, draining: false, checks: { redis: 'ok', authority } })
  t.equal(await portal.metric('gateway_ready'), 0)
  const startedStatus = async () => (await fetch(`${portal.operations}/startedz`)).status
  t.equal(await startedStatus(), 503)
  sandbox.faults.clear()
  await eventually(async () => (await portal.ready()).status === 200)
  t.equal(await startedStatus(), 200)
  t.equal(await portal.metric('gateway_ready'), 1)
  sandbox.faults.set('oidc-discovery', '503')
  t.equal((await portal.ready()).status, 200, 'stays ready after a later failure of the authority')
})

t.test('says whether the authority still answers, although nobody signs in', async (t) => {
  let aheadMs = 0
  const portal = await startWithOperations(t, { clock: () => Date.now() + aheadMs })
  const isReachable = () => portal.metric('gateway_authority_reachable')
  t.equal(await isReachable(), 1)
  sandbox.faults.set('oidc-discovery', '503')
  t.teardown(() => sandbox.faults.clear())
  t.equal(await isReachable(), 1, 'it has just answered')
  aheadMs = 20_000
  t.equal(await isReachable(), 0)
  sandbox.faults.clear()
  aheadMs = 40_000
  t.equal(await isReachable(), 1)
})

t.test('is not ready without Redis, and recovers without a restart', async (t) => {
  const redis = await startRedis(t)
  const portal = await startWithOperations(t, { backend: await redis.backend() })
  await eventually(async () => (await portal.ready()).status === 200)
  t.equal((await fetch(`${portal.operations}/startedz`)).status, 200)
  const { probes } = portal.app
  const { store } = probes
  let asked = 0
  probes.store = () => {
    asked += 1
    return store()
  }
  t.equal((await fetch(`${portal.operations}/startedz`)).status, 200)
  t.equal(asked, 0, 'once started, it asks Redis no more')
  redis.freeze()
  const { status, body } = await portal.ready()
  t.equal(status, 503)
  t.match(body.checks, { authority: 'ok' })
  t.not(body.checks.redis, 'ok')
  t.equal((await fetch(`${portal.operations}/healthz`)).status, 200)
  t.equal((await fetch(`${portal.operations}/startedz`)).status, 200)
  t.ok(Number(await portal.metric('gateway_store_failures_total{outcome="timeout"}')) >= 1)
  redis.thaw()
  await eventually(async () => (await portal.ready()).status === 200)
})

t.test('reports an unreachable upstream but stays ready', async (t) => {
  const unreachable = 'http://127.0.0.1:9'
  const portal = await startWithOperations(t, { env: { UPSTREAM_EGRESS_URL: unreachable } })
  const { status, body } = await portal.ready()
  t.equal(status, 200)
  t.equal(body.upstreams[portal.sandbox.url], 'ok')
  t.match(body.upstreams[unreachable], /^(?!ok$)./)
})

t.test('asks the upstreams again after the clock was set back', async (t) => {
  let aheadMs = 0
  const upstream = await startTinyUpstream(t)
  const portal = await startWithOperations(t, {
    clock: () => Date.now() + aheadMs,
    env: { UPSTREAM_EGRESS_URL: upstream.url }
  })
  const state = async () => (await portal.ready()).body.upstreams[upstream.url]
  t.equal(await state(), 'ok')
  upstream.answer = (_request, response) => response.writeHead(502).end()
  t.equal(await state(), 'ok', 'it has just answered')
  aheadMs = -60 * 60_000
  t.match(await state(), /answers 502/)
})

t.test('counts calls, failures, sign-ins, refreshes and snapshots', async (t) => {
  let aheadMs = 0
  const portal = await startWithOperations(t, { clock: () => Date.now() + aheadMs })
  const person = await portal.as('partner.admin')
  t.equal((await person.call(ME)).status, 200)
  t.equal((await fetch(portal.url + ME, { headers: { 'x-portal-csrf': '1' } })).status, 401)
  portal.sandbox.faults.set('management', '500', 1)
  t.equal((await person.call(ME)).status, 502)
  portal.sandbox.faults.set('management', 'reset', 1)
  t.equal((await person.call(ME)).status, 503)
  aheadMs = 30_000
  portal.sandbox.refuseIssuedAccessTokens()
  t.equal((await person.call(ME)).status, 200)
  for (let count = 0; count < 3; count += 1)
    t.equal((await person.call(`/api/portal/v1/customers/${NOTABLE.northwind}/tree`)).status, 200)
  t.equal((await person.call('/auth/logout', { method: 'POST' })).status, 200)
  const expected: Record<string, number> = {
    'gateway_request_duration_seconds_count{route="users.me",outcome="2xx"}': 2,
    'gateway_request_duration_seconds_count{route="users.me",outcome="4xx"}': 1,
    'gateway_request_duration_seconds_count{route="users.me",outcome="5xx"}': 2,
    'gateway_upstream_duration_seconds_count{api="MANAGEMENT",outcome="5xx"}': 1,
    'gateway_upstream_duration_seconds_count{api="MANAGEMENT",outcome="failed"}': 1,
    'gateway_upstream_duration_seconds_count{api="MANAGEMENT",outcome="401"}': 1,
    'gateway_authority_duration_seconds_count{endpoint="revocation",outcome="2xx"}': 2,
    gateway_sessions: 0,
    'gateway_upstream_in_flight{api="MANAGEMENT"}': 0,
    'gateway_problems_total{problem="not_signed_in"}': 1,
    'gateway_problems_total{problem="upstream_failed"}': 1,
    'gateway_sign_ins_total{outcome="done"}': 1,
    'gateway_sign_outs_total{by="person"}': 1,
    'gateway_token_refresh_seconds_count{outcome="done"}': 1,
    gateway_snapshots: 1,
    'gateway_snapshot_reads_total{outcome="hit"}': 2,
    'gateway_snapshot_reads_total{outcome="miss"}': 1
  }
  for (const [line, count] of Object.entries(expected))
    await eventually(async () => (await portal.metric(line)) === count).then(
      () => t.pass(line),
      async () => t.equal(await portal.metric(line), count, line)
    )
  t.ok(Number(await portal.metric('gateway_snapshot_bytes')) > 100_000)
})

t.test('serves health and metrics only on their own port, and is not ready while draining', async (t) => {
  const portal = await startWithOperations(t)
  for (const path of ['/metrics', '/readyz', '/healthz']) {
    const answer = await fetch(portal.url + path)
    t.equal(answer.status, 404, path)
    t.notMatch(await answer.text(), /gateway_|"ready"|<html/)
  }
  t.equal((await fetch(`${portal.operations}${ME}`)).status, 404)
  const started = () => fetch(`${portal.operations}/startedz`)
  t.equal((await started()).status, 200)
  portal.app.draining.begun = true
  const stopping = await started()
  t.equal(stopping.status, 503)
  t.strictSame(await stopping.json(), { started: false, draining: true })
  const { status, body } = await portal.ready()
  t.equal(status, 503)
  t.match(body, { ready: false, draining: true, checks: { redis: 'ok', authority: 'ok' } })
  const answer = await fetch(`${portal.url}/auth/session`)
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('connection'), 'close')
})
