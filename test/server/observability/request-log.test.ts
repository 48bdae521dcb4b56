// One line for each request, an audit line for what was denied or changed, and the figures beside them.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Portal, startPortal } from '#test/support/portal.ts'
import { eventually } from '../../support/redis-server.ts'

const ME = '/api/v2/management/myUser'
const PROJECTS = '/api/v2/management/projects'
const TREE = `/api/portal/v1/customers/${NOTABLE.northwind}/tree`
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface Line {
  msg: string
  [field: string]: unknown
}

const portal = await startPortal(t)
const { state } = portal.sandbox
const idOf = (username: string) => [...state.users.values()].find((one) => one.username === username)?.id

/** The lines of one kind that some work leads to, once there are so many of them. */
async function linesOf(
  of: Portal,
  kind: 'request' | 'audit',
  count: number,
  work: () => Promise<unknown>
): Promise<Line[]> {
  const from = of.logged.length
  await work()
  const lines = () =>
    of.logged
      .slice(from)
      .map((line) => JSON.parse(line) as Line)
      .filter(({ msg }) => msg === kind)
  await eventually(() => lines().length >= count)
  return lines()
}

t.test('a request without a session is one line, and an audit line that it was denied', async (t) => {
  const answered = async () => void (await fetch(portal.url + ME, { headers: { 'x-portal-csrf': '1' } }))
  const lines = await linesOf(portal, 'request', 1, answered)
  t.equal(lines.length, 1)
  t.match(lines[0], {
    level: 'info',
    routeId: 'users.me',
    method: 'GET',
    path: ME,
    clientIp: /^(?:127\.0\.0\.1|::1)$/,
    status: 401,
    userId: null,
    problem: 'not_signed_in'
  })
  t.match(lines[0]?.requestId, UUID)
  const [audit] = await linesOf(portal, 'audit', 1, answered)
  t.match(audit, {
    audit: true,
    event: 'denied',
    user: null,
    target: { route: 'users.me', method: 'GET', path: ME },
    outcome: 'not_signed_in'
  })
})

t.test('what a role does not allow is audited with the person and the path, without its query', async (t) => {
  const person = await portal.as('customer.user')
  const path = `/api/v2/management/organizations/${NOTABLE.partner}/users`
  const [audit, ...more] = await linesOf(portal, 'audit', 1, () => person.call(`${path}?keyword=somebody`))
  t.strictSame(more, [])
  t.match(audit, { event: 'denied', user: idOf('customer.user'), outcome: 'forbidden', target: { path } })
  t.notMatch(JSON.stringify(audit), 'somebody')
})

t.test('a proxied call tells who called and how long it waited', async (t) => {
  const person = await portal.as('partner.admin')
  portal.sandbox.faults.set('management', 'slow:120', 1)
  const [line] = await linesOf(portal, 'request', 1, () => person.call(ME))
  t.match(line, { routeId: 'users.me', status: 200, userId: idOf('partner.admin') })
  const { upstreamMs, durationMs } = line as unknown as { upstreamMs: number; durationMs: number }
  t.ok(upstreamMs >= 110 && durationMs >= upstreamMs - 1, `${upstreamMs} of ${durationMs} ms`)
})

t.test('so does an assembled one, and one that asks nobody has waited for nobody', async (t) => {
  const person = await portal.as('partner.admin')
  const [first] = await linesOf(portal, 'request', 1, () => person.call(TREE))
  t.ok(Number(first?.upstreamMs) > 0)
  const [second] = await linesOf(portal, 'request', 1, () => person.call(TREE))
  t.match(second, { routeId: 'portal.tree', upstreamMs: 0 })
  const [page] = await linesOf(portal, 'request', 1, () => fetch(`${portal.url}/customers/1`))
  t.match(page, { routeId: 'client', status: 200, userId: null, upstreamMs: 0 })
})

t.test('an address that is none is a line without a route', async (t) => {
  const [line] = await linesOf(portal, 'request', 1, () =>
    fetch(`${portal.url}/nowhere`, { method: 'DELETE' })
  )
  t.match(line, { routeId: 'none', status: 404, method: 'DELETE' })
})

t.test('who goes before the answer is there is a line too', async (t) => {
  const person = await portal.as('partner.admin')
  portal.sandbox.faults.set('management', 'timeout', 1)
  const lines = await linesOf(portal, 'request', 1, async () => {
    const gone = new AbortController()
    const call = person.call(ME, { signal: gone.signal })
    await eventually(() => portal.sandbox.faults.met('management') > 1)
    gone.abort()
    await call.catch(() => {})
  })
  t.equal(lines.length, 1)
  t.match(lines[0], { routeId: 'users.me', status: 499 })
})

t.test('changes are audited as done or refused; what only reads by POST is not', async (t) => {
  const person = await portal.as('partner.admin')
  const send = (path: string, body: object) =>
    person.call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
  const link = (id: string) => `/organizations/${id}`
  const project = {
    projectName: 'Audited',
    customer: link(NOTABLE.northwind),
    partner: link(NOTABLE.partner)
  }
  const create = () => send(PROJECTS, project)
  const [done] = await linesOf(portal, 'audit', 1, create)
  const about = {
    event: 'change',
    user: idOf('partner.admin'),
    target: { route: 'projects.create', method: 'POST' }
  }
  t.match(done, { ...about, outcome: 'done', requestId: UUID })
  const [refused] = await linesOf(portal, 'audit', 1, create)
  t.match(refused, { ...about, outcome: 'refused' }, 'its name is taken')
  const search = `/api/v1/alarms/customers/${NOTABLE.northwind}/alarms:search`
  const read = await linesOf(portal, 'request', 1, () => send(search, {}))
  t.match(read[0], { routeId: 'alarms.search', status: 200 })
  t.notMatch(portal.logged.filter((line) => line.includes('"audit":true')).join(), 'alarms.search')
})

t.test('signing in and out is audited, also where only warnings are logged', async (t) => {
  const quiet = await startPortal(t, { startedSandbox: portal.sandbox })
  quiet.app.log.level = 'warn'
  const [failed] = await linesOf(quiet, 'audit', 1, () =>
    fetch(`${quiet.url}/callback`, { redirect: 'manual' })
  )
  t.match(failed, { event: 'sign-in', user: null, outcome: 'expired' })
  const [entered] = await linesOf(quiet, 'audit', 1, () => quiet.as('customer.multi'))
  t.match(entered, { event: 'sign-in', user: idOf('customer.multi'), outcome: 'done' })
  const person = await quiet.as('customer.multi')
  const [left] = await linesOf(quiet, 'audit', 1, () => person.call('/auth/logout', { method: 'POST' }))
  t.match(left, { event: 'sign-out', user: idOf('customer.multi'), outcome: 'done', target: { sessions: 1 } })
})

t.test(
  'a trace goes through to every upstream call, and the id of the request with a proxied one',
  async (t) => {
    const seen: (string | undefined)[] = []
    const upstream = createServer((request, response) => {
      seen.push(String(request.headers.traceparent))
      const body = { id: 'u', organizationId: null, roleAssignments: [], fullName: 'X', userType: 'INTERNAL' }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    t.teardown(() => upstream.close())
    const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
    const traced = await startPortal(t, {
      startedSandbox: portal.sandbox,
      backend: portal.backend,
      env: { UPSTREAM_MANAGEMENT_URL: url }
    })
    const person = await traced.as('customer.user')
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    for (const path of [ME, '/api/portal/v1/bootstrap']) {
      seen.length = 0
      t.equal((await person.call(path, { headers: { traceparent } })).status, 200)
      t.strictSame([...new Set(seen)], [traceparent], path)
      seen.length = 0
      const [line] = await linesOf(traced, 'request', 1, () => person.call(path))
      const trace = String(line?.requestId).replaceAll('-', '')
      t.match(seen[0], new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`), 'a new one is named by the request')
    }
  }
)

t.test('whose address it was says the proxy that is trusted, and nobody else', async (t) => {
  const headers = { 'x-portal-csrf': '1', 'x-forwarded-for': '203.0.113.7' }
  const behind = await startPortal(t, {
    startedSandbox: portal.sandbox,
    env: { TRUST_PROXY: 'loopback' }
  })
  const ask = (of: Portal) => fetch(`${of.url}${ME}?secret=1`, { headers })
  const [trusted] = await linesOf(behind, 'request', 1, () => ask(behind))
  t.match(trusted, { clientIp: '203.0.113.7', path: ME })
  const [audit] = await linesOf(behind, 'audit', 1, () => ask(behind))
  t.match(audit, { event: 'denied', clientIp: '203.0.113.7' })
  const [claimed] = await linesOf(portal, 'request', 1, () => ask(portal))
  t.not(claimed?.clientIp, '203.0.113.7')
})

t.test('at debug level each upstream call, decision and refresh is a line', async (t) => {
  const person = await portal.as('customer.admin')
  const from = portal.logged.length
  portal.sandbox.refuseIssuedAccessTokens()
  t.equal((await person.call(TREE)).status, 200)
  t.equal((await person.call('/auth/session/renew', { method: 'POST' })).status, 200)
  const debug = () =>
    portal.logged
      .slice(from)
      .map((line) => JSON.parse(line) as Line)
      .filter(({ level }) => level === 'debug')
  const calls = debug().filter(({ msg }) => msg === 'upstream call')
  t.match(calls[0], {
    api: /^[A-Z_]+$/,
    method: 'GET',
    path: /^\/api\//,
    status: Number,
    ms: Number,
    requestId: UUID
  })
  t.notMatch(JSON.stringify(calls), /\?/)
  t.match(
    debug().find(({ msg }) => msg === 'allowed'),
    { action: String, scope: String, caller: 'session', requestId: UUID }
  )
  for (const msg of ['tokens were refreshed', 'a session was prolonged'])
    t.ok(
      debug().some((line) => line.msg === msg),
      msg
    )
})
