// The log line of each request, the audit line of refusals and changes, and the trace for the upstream.
import t from 'tap'
import { RequestTrace } from '#server/observability/trace.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Portal, startPortal } from '#test/support/portal.ts'
import { eventually } from '../../support/eventually.ts'
import { startTinyUpstream } from '../../support/tiny-upstream.ts'

const ME = '/api/v2/management/myUser'
const PROJECTS = '/api/v2/management/projects'
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface Line {
  msg: string
  [field: string]: unknown
}

const portal = await startPortal(t)
const { state } = portal.sandbox
const idOf = (username: string) => [...state.users.values()].find((user) => user.username === username)?.id

type Kind = 'request' | 'audit'
async function linesOf(at: Portal, kind: Kind, count: number, work: () => Promise<unknown>): Promise<Line[]> {
  const start = at.logged.length
  await work()
  const lines = () =>
    at.logged
      .slice(start)
      .map((line) => JSON.parse(line) as Line)
      .filter(({ msg }) => msg === kind)
  await eventually(() => lines().length >= count)
  return lines()
}

t.test('each answer names the id of its request, which its log line repeats', async (t) => {
  let answerId: string | null = null
  const [line] = await linesOf(portal, 'request', 1, async () => {
    answerId = (await fetch(`${portal.url}/auth/session`)).headers.get('x-request-id')
  })
  t.match(answerId, UUID)
  t.equal(line?.requestId, answerId)
})

t.test('logs one request line and one audit line for a refused call', async (t) => {
  const headers = { authorization: 'Bearer made-up' }
  const sendCall = async () => void (await fetch(portal.url + ME, { headers }))
  const lines = await linesOf(portal, 'request', 1, sendCall)
  t.equal(lines.length, 1)
  t.match(lines[0], {
    level: 'info',
    routeId: 'users.me',
    method: 'GET',
    path: ME,
    clientIp: /^(?:127\.0\.0\.1|::1)$/,
    status: 401,
    userId: null,
    problem: 'bad_token'
  })
  t.match(lines[0]?.requestId, UUID)
  const [audit] = await linesOf(portal, 'audit', 1, sendCall)
  t.match(audit, {
    audit: true,
    event: 'denied',
    userId: null,
    target: { route: 'users.me', method: 'GET', path: ME },
    outcome: 'bad_token'
  })
})

t.test('a visit without a session writes no audit entry', async (t) => {
  const person = await portal.as('customer.user')
  const entries = await linesOf(portal, 'audit', 1, async () => {
    t.equal((await fetch(portal.url + ME, { headers: { 'x-portal-csrf': '1' } })).status, 401)
    await person.call(`/api/v2/management/organizations/${NOTABLE.partner}/users`)
  })
  t.match(entries, [{ outcome: 'forbidden' }])
})

t.test('audits a refusal with the person and the path, without the query', async (t) => {
  const person = await portal.as('customer.user')
  const path = `/api/v2/management/organizations/${NOTABLE.partner}/users`
  const [audit, ...rest] = await linesOf(portal, 'audit', 1, () => person.call(`${path}?keyword=somebody`))
  t.strictSame(rest, [])
  t.match(audit, { event: 'denied', userId: idOf('customer.user'), outcome: 'forbidden', target: { path } })
  t.notMatch(JSON.stringify(audit), 'somebody')
})

t.test('logs the caller and the duration of the upstream call', async (t) => {
  const person = await portal.as('partner.admin')
  portal.sandbox.faults.set('management', 'slow:120', 1)
  const [line] = await linesOf(portal, 'request', 1, () => person.call(ME))
  t.match(line, { routeId: 'users.me', status: 200, userId: idOf('partner.admin') })
  const { upstreamMs, durationMs } = line as unknown as { upstreamMs: number; durationMs: number }
  t.ok(upstreamMs >= 110 && durationMs >= upstreamMs - 1, `${upstreamMs} of ${durationMs} ms`)
})

t.test('logs an unknown address without a route', async (t) => {
  const call = () => fetch(`${portal.url}/nowhere`, { method: 'DELETE' })
  const [line] = await linesOf(portal, 'request', 1, call)
  t.match(line, { routeId: 'none', status: 404, method: 'DELETE' })
})

t.test('logs 499 for a caller who disconnects before the answer', async (t) => {
  const person = await portal.as('partner.admin')
  portal.sandbox.faults.set('management', 'timeout', 1)
  const lines = await linesOf(portal, 'request', 1, async () => {
    const controller = new AbortController()
    const call = person.call(ME, { signal: controller.signal })
    await eventually(() => portal.sandbox.faults.met('management') > 1)
    controller.abort()
    await call.catch(() => {})
  })
  t.equal(lines.length, 1)
  t.match(lines[0], { routeId: 'users.me', status: 499 })
})

t.test('audits changes as done or refused, but no reads by POST', async (t) => {
  const person = await portal.as('partner.admin')
  const send = (path: string, body: object) =>
    person.call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
  const link = (id: string) => `/organizations/${id}`
  const organizations = { customer: link(NOTABLE.northwind), partner: link(NOTABLE.partner) }
  const create = () => send(PROJECTS, { projectName: 'Audited', ...organizations })
  const [change] = await linesOf(portal, 'audit', 1, create)
  const target = { route: 'projects.create', method: 'POST' }
  const fields = { event: 'change', userId: idOf('partner.admin'), target }
  t.match(change, { ...fields, outcome: 'done', requestId: UUID })
  const [refusal] = await linesOf(portal, 'audit', 1, create)
  t.match(refusal, { ...fields, outcome: 'refused' }, 'a duplicate name')
  const search = `/api/v1/alarms/customers/${NOTABLE.northwind}/alarms:search`
  const lines = await linesOf(portal, 'request', 1, () => send(search, {}))
  t.match(lines[0], { routeId: 'alarms.search', status: 200 })
  t.notMatch(portal.logged.filter((line) => line.includes('"audit":true')).join(), 'alarms.search')
})

t.test('audits sign-ins and sign-outs, even at log level warn', async (t) => {
  const quiet = await startPortal(t, { startedSandbox: portal.sandbox })
  quiet.app.log.level = 'warn'
  const callback = () => fetch(`${quiet.url}/callback`, { redirect: 'manual' })
  const [failure] = await linesOf(quiet, 'audit', 1, callback)
  t.match(failure, { event: 'sign-in', userId: null, outcome: 'expired' })
  const [signIn] = await linesOf(quiet, 'audit', 1, () => quiet.as('customer.multi'))
  t.match(signIn, { event: 'sign-in', userId: idOf('customer.multi'), outcome: 'done' })
  const person = await quiet.as('customer.multi')
  const [signOut] = await linesOf(quiet, 'audit', 1, () => person.call('/auth/logout', { method: 'POST' }))
  const userId = idOf('customer.multi')
  t.match(signOut, { event: 'sign-out', userId, outcome: 'done', target: { sessions: 1 } })
})

t.test('sends the caller’s trace upstream, or a new trace with the id of the request', async (t) => {
  const traceparents: (string | undefined)[] = []
  const upstream = await startTinyUpstream(t)
  upstream.answer = (request, response) => {
    traceparents.push(String(request.headers.traceparent))
    const body = { id: 'u', organizationId: null, roleAssignments: [], fullName: 'X', userType: 'INTERNAL' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const options = { startedSandbox: portal.sandbox, backend: portal.backend }
  const replica = await startPortal(t, { ...options, env: { UPSTREAM_MANAGEMENT_URL: upstream.url } })
  const person = await replica.as('customer.user')
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  for (const path of [ME, '/api/portal/v1/bootstrap']) {
    traceparents.length = 0
    t.equal((await person.call(path, { headers: { traceparent } })).status, 200)
    t.strictSame([...new Set(traceparents)], [traceparent], path)
    traceparents.length = 0
    const [line] = await linesOf(replica, 'request', 1, () => person.call(path))
    const trace = String(line?.requestId).replaceAll('-', '')
    t.match(traceparents[0], new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`))
  }
})

const REQUEST = '3f2b8c1e-9a4d-4e7f-8b16-0c5d2e9f7a31'
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'
const VALID = `00-${TRACE}-${SPAN}-01`

function headersFor(headers: Record<string, string>): Record<string, string> {
  const sentHeaders: Record<string, string> = {}
  new RequestTrace(headers, REQUEST).writeHeaders(sentHeaders)
  const { 'x-request-id': requestId, ...traceHeaders } = sentHeaders
  t.equal(requestId, REQUEST)
  return traceHeaders
}

t.test('starts a new trace without state if the received trace is malformed', async (t) => {
  const invalidValues = [
    '',
    'nonsense',
    VALID.toUpperCase(),
    VALID.slice(0, -1),
    `${VALID}-more`,
    ` ${VALID}`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.slice(1)}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}x-01`,
    `00-${TRACE}-${SPAN}-zz`
  ]
  const newTrace = { traceparent: '00-3f2b8c1e9a4d4e7f8b160c5d2e9f7a31-8b160c5d2e9f7a31-01' }
  for (const traceparent of invalidValues)
    t.strictSame(headersFor({ traceparent, tracestate: 'a=b' }), newTrace, traceparent)
  t.strictSame(
    Object.keys(headersFor({ tracestate: 'a=b' })),
    ['traceparent'],
    'drops a tracestate without a traceparent'
  )
})

t.test('forwards a well-formed trace with its state', async (t) => {
  t.strictSame(headersFor({ traceparent: VALID }), { traceparent: VALID })
  const notRecorded = `00-${TRACE}-${SPAN}-00`
  t.strictSame(headersFor({ traceparent: notRecorded }), { traceparent: notRecorded }, 'also its flags')
  const headers = { traceparent: VALID, tracestate: 'a=b,c=d' }
  t.strictSame(headersFor(headers), headers)
  const state = (characters: number) => headersFor({ traceparent: VALID, tracestate: 'x'.repeat(characters) })
  t.equal(state(512).tracestate?.length, 512)
  t.equal(state(513).tracestate, undefined)
})

t.test('forwards a trace of a later version as version 00', async (t) => {
  t.strictSame(headersFor({ traceparent: `01-${TRACE}-${SPAN}-01-what-comes-later` }), { traceparent: VALID })
})

t.test('adds up the time of upstream calls, but counts parallel calls once', async (t) => {
  const trace = new RequestTrace({}, REQUEST)
  t.equal(trace.upstreamMs, 0)
  const now = t.capture(performance, 'now', () => time)
  let time = 1000
  trace.begin()
  time += 10
  trace.begin()
  time += 10
  t.equal(trace.upstreamMs, 20)
  trace.end()
  time += 10
  trace.end()
  time += 100
  t.equal(trace.upstreamMs, 30)
  trace.begin()
  time += 5
  trace.end()
  t.equal(trace.upstreamMs, 35)
  t.ok(now().length > 0)
})
