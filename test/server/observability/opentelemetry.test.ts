// With a collector, a gateway process records the steps of each request as spans. Without one there are none.
import { once } from 'node:events'
import t from 'tap'
import { openTracing } from '#server/observability/opentelemetry.ts'
import { gatewaySettings } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { freePort, signIn, startPortal } from '#test/support/portal.ts'
import { eventually } from '../../support/eventually.ts'
import { startGatewayProcess } from '../../support/gateway-process.ts'
import { leastConfig } from '../../support/least-config.ts'
import { openSandbox } from '../../support/scenes/gateway.ts'
import { type ReceivedSpan, startSpanCollector } from '../../support/span-collector.ts'

t.setTimeout(200_000)
const MARK = 'marked-value-7f3a'
const TREE = `/api/portal/v1/customers/${NOTABLE.northwind}/tree`
const USERS = `/api/v2/management/organizations/${NOTABLE.partner}/users/search/findByKeyword`
const PROJECTS = '/api/v2/management/projects'
const sandbox = await openSandbox(t)

interface Line {
  msg: string
  requestId?: string
  traceId?: string
  [field: string]: unknown
}

t.test(
  'a process sends spans of each step, its log lines and upstream calls have the same ids',
  async (t) => {
    const collector = await startSpanCollector(t)
    const metricsPort = await freePort()
    const gateway = await startGatewayProcess(t, {
      ...gatewaySettings(sandbox),
      NODE_ENV: 'test',
      LOG_LEVEL: 'debug',
      METRICS_PORT: `${metricsPort}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20secret',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test'
    })
    const person = await signIn(gateway.url, sandbox, 'partner.admin')
    const calls: Response[] = []
    const call = async (path: string, init?: RequestInit) => {
      const answer = await person.call(path, init)
      await answer.arrayBuffer()
      calls.push(answer)
      return answer.headers.get('x-request-id') ?? ''
    }
    const treeId = await call(TREE)
    const listId = await call(`${USERS}?keyword=${MARK}`)
    const refusedId = await call(PROJECTS, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ projectName: MARK, [MARK]: 1 })
    })
    const createId = await call(PROJECTS, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        projectName: `Zz ${MARK}`,
        customer: `/organizations/${NOTABLE.northwind}`,
        partner: `/organizations/${NOTABLE.partner}`
      })
    })
    t.strictSame(
      calls.map(({ status }) => status),
      [200, 200, 400, 201]
    )
    const metrics = await fetch(`http://localhost:${metricsPort}/metrics`)
    const exit = once(gateway.child, 'exit')
    gateway.child.kill('SIGINT')
    await exit

    const { spans } = collector
    const spansOf = (requestId: string) =>
      spans.filter(({ traceId }) => traceId === requestId.replaceAll('-', ''))
    const named = (all: ReceivedSpan[], name: string | RegExp) =>
      all.find((span) => (typeof name === 'string' ? span.name === name : name.test(span.name)))

    const tree = spansOf(treeId)
    const request = named(tree, 'GET /api/portal/v1/customers/:customerId/tree')
    t.match(request, {
      kind: 'server',
      parentSpanId: undefined,
      isFailed: false,
      attributes: { 'http.response.status_code': 200, 'url.path': TREE, 'portal.request_id': treeId }
    })
    const assembly = named(tree, 'assemble customer')
    t.equal(assembly?.parentSpanId, request?.spanId)
    t.equal(named(tree, 'inventory worker page')?.parentSpanId, assembly?.spanId)
    t.equal(named(tree, /^session store /)?.parentSpanId, request?.spanId)
    const upstreamCalls = tree.filter(({ kind }) => kind === 'client')
    t.ok(upstreamCalls.some(({ name }) => name === 'GET SUBSCRIPTION'))
    t.ok(upstreamCalls.every(({ parentSpanId }) => parentSpanId !== undefined))

    // The aggregated calls, and a call with a body, carry the ids to the upstream.
    for (const [id, minimum] of [
      [treeId, 3],
      [createId, 1]
    ] as const) {
      const sent = sandbox.calls.filter(({ headers }) => headers['x-request-id'] === id)
      t.ok(sent.length >= minimum)
      for (const { headers } of sent) {
        const [, traceId, spanId, flags] = String(headers.traceparent).split('-')
        t.equal(traceId, id.replaceAll('-', ''))
        t.equal(flags, '01')
        t.ok(spansOf(id).some((span) => span.spanId === spanId && span.kind === 'client'))
      }
    }
    t.equal(sandbox.calls.filter(({ headers }) => headers['x-request-id'] === undefined).length, 0)

    t.match(named(spansOf(refusedId), `POST ${PROJECTS}`), {
      isFailed: false,
      attributes: { 'http.response.status_code': 400 }
    })
    const listed = spansOf(listId).find(({ kind }) => kind === 'server')
    t.match(listed?.attributes, { 'url.path': USERS, 'http.response.status_code': 200 })
    const lines = gateway
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Line)
    const ofCall = lines.filter(({ requestId }) => requestId === createId)
    t.ok(['request', 'audit', 'upstream call'].every((msg) => ofCall.some((line) => line.msg === msg)))
    t.ok(ofCall.every(({ traceId }) => traceId === createId.replaceAll('-', '')))

    const received = collector.bodies.join()
    t.match(received, 'portal-gateway')
    t.match(received, 'deployment.environment.name')
    t.notMatch(received, MARK, 'no query and no body')
    t.notMatch(received, /eyJ|a secret|Bearer/i, 'no token')
    for (const pair of person.jar.pairs()) t.notOk(received.includes(pair.split('=')[1] ?? pair), 'no cookie')
    t.match(collector.headers[0], { 'api-key': 'a secret' })

    t.match(metrics.headers.get('content-type'), 'application/openmetrics-text')
    t.match(
      await metrics.text(),
      /gateway_request_duration_seconds_bucket\{[^}]*route="portal\.tree"[^}]*\} \d+ # \{trace_id="[0-9a-f]{32}"\}/
    )
  }
)

t.test('records a caller’s trace as the caller wants it', async (t) => {
  const collector = await startSpanCollector(t)
  const log = { warn() {}, info() {} } as never
  const tracing = openTracing(leastConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }), '1', log)
  const portal = await startPortal(t, { startedSandbox: sandbox, startSpan: tracing.startSpan })
  const person = await portal.as('partner.admin')
  const [recorded, unrecorded] = ['0af7651916cd43dd8448eb211c80319c', '1bf7651916cd43dd8448eb211c80319c']
  for (const [traceId, flags] of [
    [recorded, '01'],
    [unrecorded, '00']
  ]) {
    sandbox.calls.length = 0
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-${flags}`, tracestate: 'a=b' }
    await person.call('/api/v2/management/myUser', { headers })
    const sent = sandbox.calls.find((call) => String(call.headers.traceparent).includes(String(traceId)))
    t.match(sent?.headers, { traceparent: new RegExp(`-${flags}$`), tracestate: 'a=b' })
    await eventually(() => portal.logged.some((line) => line.includes(`"traceId":"${traceId}"`)))
  }
  await tracing.close()
  t.ok(collector.spans.some((span) => span.traceId === recorded && span.parentSpanId === 'b7ad6b7169203331'))
  t.notOk(collector.spans.some((span) => span.traceId === unrecorded))
})

t.test('a token refresh is a span of the request that needs it', async (t) => {
  const collector = await startSpanCollector(t)
  const log = { warn() {}, info() {} } as never
  const tracing = openTracing(leastConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }), '1', log)
  let aheadMs = 0
  const clock = () => Date.now() + aheadMs
  const portal = await startPortal(t, { startedSandbox: sandbox, startSpan: tracing.startSpan, clock })
  const person = await portal.as('partner.admin')
  aheadMs = 305_000
  const answer = await person.call('/api/v2/management/myUser')
  t.equal(answer.status, 200)
  await tracing.close()
  const traceId = answer.headers.get('x-request-id')?.replaceAll('-', '')
  const spans = collector.spans.filter((span) => span.traceId === traceId)
  const refresh = spans.find(({ name }) => name === 'token refresh')
  t.equal(refresh?.parentSpanId, spans.find(({ kind }) => kind === 'server')?.spanId)
  t.ok(
    spans.some(
      ({ name, parentSpanId }) => name.startsWith('session store') && parentSpanId === refresh?.spanId
    )
  )
})

t.test('a request that the caller leaves, and a live stream, end their spans', async (t) => {
  const collector = await startSpanCollector(t)
  const log = { warn() {}, info() {} } as never
  const tracing = openTracing(leastConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }), '1', log)
  const portal = await startPortal(t, { startedSandbox: sandbox, startSpan: tracing.startSpan })
  const person = await portal.as('partner.admin')
  const aborter = new AbortController()
  const stream = await person.call('/api/portal/v1/events', { signal: aborter.signal })
  t.equal(stream.status, 200)
  aborter.abort()
  await stream.text().catch(() => {})
  await eventually(() => portal.logged.some((line) => line.includes('"routeId":"portal.events"')))
  await tracing.close()
  t.match(
    collector.spans.find(({ name }) => name === 'GET /api/portal/v1/events'),
    { isFailed: true, attributes: { 'http.response.status_code': 499, 'error.type': '499' } }
  )
})

t.test('a collector that is away delays nothing, and is logged once', async (t) => {
  const warnings: unknown[] = []
  const log = { warn: (...line: unknown[]) => void warnings.push(line), info() {} } as never
  const nowhere = `http://localhost:${await freePort()}`
  const tracing = openTracing(leastConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: nowhere }), '1', log)
  const options = {
    kind: 'server',
    attributes: {},
    parent: null,
    traceId: '0af7651916cd43dd8448eb211c80319c'
  } as const
  tracing.startSpan('a', options).end()
  await tracing.close()
  t.ok(warnings.length <= 1)
})
