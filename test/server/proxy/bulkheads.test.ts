import type { ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Browser, signIn, startPortal } from '#test/support/portal.ts'
import { eventually } from '../../support/eventually.ts'
import { startGatewayProcess } from '../../support/gateway-process.ts'
import { createPrivateAuthority, type PrivateAuthority } from '../../support/private-authority.ts'
import { startTinyUpstream } from '../../support/tiny-upstream.ts'

const EXPORTS = `/api/v1/egress/exports?customerId=${NOTABLE.northwind}`
const BACKUPS = `/api/v1/recover/customers/${NOTABLE.northwind}/backups`
const ROLES = '/api/v2/management/roles'

const sandbox = await startSandbox()
t.teardown(() => sandbox.stop())

async function tricklingUpstream(t: Test) {
  const upstream = await startTinyUpstream(t)
  const open = new Set<ServerResponse>()
  const timer = setInterval(() => {
    for (const response of open) response.write(' ')
  }, 50)
  t.teardown(() => clearInterval(timer))
  upstream.answer = (_request, response) => {
    response.writeHead(200).write('{')
    open.add(response)
    response.once('close', () => open.delete(response))
  }
  return { upstream, open }
}

const begin = (person: Browser, count: number, signal: AbortSignal) =>
  Promise.all(
    Array.from({ length: count }, () =>
      person.call(EXPORTS, { signal }).then(
        ({ status }) => status,
        () => 0
      )
    )
  )
const count = (statuses: number[], wanted: number) => statuses.filter((status) => status === wanted).length

t.test('gives one caller at most a quarter of the connections', async (t) => {
  const { upstream, open } = await tricklingUpstream(t)
  const portal = await startPortal(t, {
    startedSandbox: sandbox,
    env: { UPSTREAM_EGRESS_URL: upstream.url },
    limits: { connectionWaitMs: 200 }
  })
  const [first, second, third] = [
    await portal.as('customer.admin'),
    await portal.as('customer.user'),
    await portal.as('partner.admin')
  ]
  t.match(portal.config, { UPSTREAM_CONNECTIONS: 64, CALLS_IN_FLIGHT: 32 })
  const stop = new AbortController()
  t.teardown(() => stop.abort())
  for (const person of [first, second]) {
    const statuses = await begin(person, 32, stop.signal)
    t.equal(count(statuses, 200), 16, 'a quarter has begun')
    t.equal(count(statuses, 503), 16, 'the others are refused after a while')
  }
  t.equal(open.size, 32)
  const refused = await first.call(EXPORTS)
  t.match(await refused.json(), { type: 'urn:portal:problem:upstream_busy' })
  t.equal(refused.headers.get('retry-after'), '1')

  t.equal((await first.call(ROLES)).status, 200, 'another upstream answers the same caller')
  upstream.answer = (_request, response) => response.end('{}')
  t.strictSame(
    count(await begin(third, 10, stop.signal), 200),
    10,
    'and a page of a third caller is answered'
  )
  stop.abort()
  await eventually(() => open.size === 0)
  t.equal(
    count(await begin(first, 16, new AbortController().signal), 200),
    16,
    'the connections are free again'
  )
})

t.test('refuses surplus calls to a hanging upstream at once, and serves the others', async (t) => {
  const upstream = await startTinyUpstream(t)
  const held: ServerResponse[] = []
  upstream.answer = (_request, response) => void held.push(response)
  const portal = await startPortal(t, {
    startedSandbox: sandbox,
    env: { UPSTREAM_EGRESS_URL: upstream.url, UPSTREAM_CONNECTIONS: '8', CALLS_IN_FLIGHT: '1000' },
    limits: { connectionWaitMs: 600_000 }
  })
  const person = await portal.as('customer.admin')
  const statuses: number[] = []
  const calls = Array.from({ length: 208 }, async () => statuses.push((await person.call(EXPORTS)).status))
  await eventually(() => statuses.length === 200)
  t.equal(count(statuses, 503), 200, 'two have a connection, and six wait for one')
  t.equal(held.length, 2)
  t.equal((await person.call(ROLES)).status, 200, 'another upstream answers')

  upstream.answer = (_request, response) => response.end('{}')
  for (const response of held) response.end('{}')
  await Promise.all(calls)
  t.equal(count(statuses, 200), 8, 'those who waited are answered once it goes on')
})

async function tlsUpstream({ serve }: PrivateAuthority, host?: string) {
  let asked = 0
  const url = await serve((_request, response) => {
    asked += 1
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }, host)
  return { url, asked: () => asked }
}

t.test('refuses an upstream with a wrong certificate', async (t) => {
  const authority = createPrivateAuthority(t)
  const good = await tlsUpstream(authority)
  const wrongName = await tlsUpstream(authority, 'upstream.example.com')
  const unknown = await tlsUpstream(createPrivateAuthority(t))
  const gateway = await startGatewayProcess(t, {
    NODE_EXTRA_CA_CERTS: authority.path,
    OIDC_ISSUER: sandbox.issuer,
    OIDC_CLIENT_ID: sandbox.client.id,
    OIDC_CLIENT_SECRET: sandbox.client.secret,
    UPSTREAM_URL: sandbox.url,
    UPSTREAM_RECOVER_URL: good.url,
    UPSTREAM_EGRESS_URL: wrongName.url,
    UPSTREAM_CHARTS_AND_REPORTS_URL: unknown.url
  })
  const browser = await signIn(gateway.url, sandbox, 'customer.admin')
  t.equal((await browser.call(BACKUPS)).status, 200, 'a good one is')
  for (const [name, path, upstream] of [
    ['another name', EXPORTS, wrongName],
    ['an unknown authority', `/api/v1/charts-and-reports/${NOTABLE.northwind}/reports`, unknown]
  ] as const) {
    const answer = await browser.call(path)
    t.equal(answer.status, 503, name)
    t.notMatch(
      await answer.text(),
      /certificate|localhost|altnames|self.signed/i,
      'the caller learns nothing of it'
    )
    t.equal(upstream.asked(), 0, 'and no token was sent')
  }
})
