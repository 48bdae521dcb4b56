// An upstream that hangs fails alone: its own surplus is refused at once, the others answer on, and nobody waits for a
// caller who has gone. An upstream that is not who it should be is not spoken to.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { Browser, type Portal, signIn, startPortal } from '#test/support/portal.ts'
import { startGatewayProcess } from '../../support/gateway-process.ts'
import { eventually } from '../../support/redis-server.ts'
import { sentCookies } from '../../support/sent-cookies.ts'

const EXPORTS = `/api/v1/egress/exports?customerId=${NOTABLE.northwind}`
const BACKUPS = `/api/v1/recover/customers/${NOTABLE.northwind}/backups`
const ME = '/api/v2/management/myUser'
const ROLES = '/api/v2/management/roles'
const CALLS = 1000

const sandbox = await startSandbox()
t.teardown(() => sandbox.stop())

/** An upstream that keeps every call waiting until it is told otherwise. */
async function hangingUpstream(t: Test) {
  const waiting = new Set<ServerResponse>()
  let gone = 0
  const server = createServer((_request, response) => {
    waiting.add(response)
    response.once('close', () => {
      if (waiting.delete(response) && !response.writableFinished) gone += 1
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting,
    gone: () => gone,
    answerAll() {
      for (const response of waiting)
        if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    }
  }
}

async function callerOf(portal: Portal) {
  const cookie = (await sentCookies((await portal.as('customer.admin')).jar)).join('; ')
  return (path: string, signal?: AbortSignal) =>
    fetch(portal.url + path, { headers: { cookie, 'x-portal-csrf': '1' }, ...(signal ? { signal } : {}) })
}

async function timed(call: () => Promise<Response>): Promise<{ status: number; ms: number }> {
  const begun = performance.now()
  const answer = await call()
  await answer.arrayBuffer()
  return { status: answer.status, ms: performance.now() - begun }
}

/** Makes so many calls, a few at a time. */
async function many<T>(count: number, atOnce: number, call: () => Promise<T>): Promise<T[]> {
  const results: T[] = []
  const left = Array.from({ length: count }).values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const _one of left) results.push(await call())
    })
  )
  return results
}

t.test('an upstream that hangs on a thousand calls takes no other with it', async (t) => {
  const hanging = await hangingUpstream(t)
  const portal = await startPortal(t, {
    startedSandbox: sandbox,
    // The surplus takes its time on a busy machine; whoever waits meanwhile is to be answered in the end.
    env: { UPSTREAM_EGRESS_URL: hanging.url, UPSTREAM_TIMEOUT_MS: '600000', CALLS_IN_FLIGHT: '2000' },
    limits: { connectionWaitMs: 600_000 }
  })
  const call = await callerOf(portal)
  await many(50, 5, () => timed(() => call(ROLES)))
  const before = await many(100, 5, () => timed(() => call(ROLES)))

  const cap = 4 * portal.config.UPSTREAM_CONNECTIONS
  const stop = new AbortController()
  t.teardown(() => stop.abort())
  const hung = Array.from({ length: cap + 1 }, () =>
    call(EXPORTS, stop.signal).then(
      (answer) => answer.status,
      () => 0
    )
  )
  t.equal(await Promise.race(hung), 503, 'all places are taken: there is none for the last one')

  const surplus = await many(CALLS - cap - 1, 4, () => timed(() => call(EXPORTS)))
  t.ok(
    surplus.every(({ status }) => status === 503),
    'the surplus is refused, while the others wait on'
  )
  const slowest = Math.max(...surplus.map(({ ms }) => ms))
  t.comment(`the slowest after ${Math.round(slowest)} ms`)

  const during = await many(100, 5, () => timed(() => call(ROLES)))
  t.ok(
    during.every(({ status }) => status === 200),
    'another upstream answers as before'
  )
  t.ok((await timed(() => call(ME))).status === 200)
  const middle = (calls: { ms: number }[]) => calls.map(({ ms }) => ms).sort((a, b) => a - b)[50] ?? 0
  t.comment(
    `median of another upstream: ${middle(before).toFixed(1)} ms before, ${middle(during).toFixed(1)} ms meanwhile`
  )

  let ended = 0
  for (const one of hung) void one.then(() => ended++)
  await eventually(() => {
    hanging.answerAll()
    return ended === cap + 1
  }, 20_000)
  const statuses = await Promise.all(hung)
  t.equal(statuses.filter((status) => status === 200).length, cap, 'who waited is answered once it goes on')
})

t.test('a refusal says when to try again', async (t) => {
  const hanging = await hangingUpstream(t)
  const portal = await startPortal(t, {
    startedSandbox: sandbox,
    env: { UPSTREAM_EGRESS_URL: hanging.url, UPSTREAM_CONNECTIONS: '1' }
  })
  const call = await callerOf(portal)
  const stop = new AbortController()
  t.teardown(() => stop.abort())
  const calls = Array.from({ length: 5 }, () => call(EXPORTS, stop.signal))
  const refused = await Promise.race(calls)
  t.equal(refused.status, 503, 'one has the connection, three wait for it')
  t.match(refused.headers.get('content-type'), 'application/problem+json')
  t.ok(Number(refused.headers.get('retry-after')) > 0)
  await refused.body?.cancel()
  stop.abort()
  await Promise.allSettled(calls)
})

t.test('a caller who goes takes the upstream call along, and leaves the place to another', async (t) => {
  const hanging = await hangingUpstream(t)
  const portal = await startPortal(t, {
    startedSandbox: sandbox,
    env: { UPSTREAM_EGRESS_URL: hanging.url, UPSTREAM_CONNECTIONS: '8', UPSTREAM_TIMEOUT_MS: '60000' }
  })
  const call = await callerOf(portal)
  for (let round = 1; round <= 3; round += 1) {
    const stop = new AbortController()
    const hung = Array.from({ length: 32 }, () => call(EXPORTS, stop.signal).catch(() => null))
    await eventually(() => hanging.waiting.size === 8)
    stop.abort()
    await Promise.all(hung)
    await eventually(() => hanging.waiting.size === 0)
    t.ok(hanging.gone() >= round * 8, 'each call is cancelled')
  }
  let status = 0
  void call(EXPORTS).then((answer) => {
    status = answer.status
  })
  await eventually(() => {
    hanging.answerAll()
    return status !== 0
  })
  t.equal(status, 200, 'and there is a place for the next')
  t.notMatch(portal.logged.join('\n'), /"level":"(?:error|fatal)"/)
})

t.test('an upstream that is late is a 504', async (t) => {
  const hanging = await hangingUpstream(t)
  const backend = createMemoryBackend(Date.now)
  t.teardown(() => backend.close())
  const shared = { startedSandbox: sandbox, backend, secrets: ['s'.repeat(32)] }
  // Signing in is not to be late.
  const patient = await startPortal(t, shared)
  const { jar } = await patient.as('customer.admin')
  const hasty = await startPortal(t, {
    ...shared,
    env: { UPSTREAM_EGRESS_URL: hanging.url, UPSTREAM_TIMEOUT_MS: '300' }
  })
  t.equal((await new Browser(hasty.url, jar).call(EXPORTS)).status, 504)
  await eventually(() => hanging.waiting.size === 0)
})

/** A folder with an authority of our own and the certificates that it has signed. */
function makeCertificates(t: Test) {
  const folder = mkdtempSync(join(tmpdir(), 'portal-tls-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const openssl = (...parameters: string[]) =>
    execFileSync('openssl', parameters, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test CA')
  const make = (name: string, host: string, ...more: string[]) => {
    const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
    openssl(
      'req',
      '-x509',
      ...key,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
      '-days',
      '2',
      ...names,
      ...more
    )
    return { key: readFileSync(join(folder, `${name}.key`)), cert: readFileSync(join(folder, `${name}.pem`)) }
  }
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key']
  return {
    authority: join(folder, 'ca.pem'),
    good: make('good', 'localhost', ...signed),
    wrongName: make('wrong', 'upstream.example.com', ...signed),
    selfSigned: make('self', 'localhost')
  }
}

async function tlsUpstream(t: Test, keys: { key: Buffer; cert: Buffer }) {
  let asked = 0
  const server = createTlsServer(keys, (_request, response) => {
    asked += 1
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `https://localhost:${(server.address() as AddressInfo).port}`, asked: () => asked }
}

t.test('an upstream whose certificate is not its own is not spoken to', async (t) => {
  const certificates = makeCertificates(t)
  const good = await tlsUpstream(t, certificates.good)
  const wrongName = await tlsUpstream(t, certificates.wrongName)
  const selfSigned = await tlsUpstream(t, certificates.selfSigned)
  const gateway = await startGatewayProcess(t, {
    NODE_EXTRA_CA_CERTS: certificates.authority,
    OIDC_ISSUER: sandbox.issuer,
    OIDC_CLIENT_ID: sandbox.client.id,
    OIDC_CLIENT_SECRET: sandbox.client.secret,
    UPSTREAM_URL: sandbox.url,
    UPSTREAM_RECOVER_URL: good.url,
    UPSTREAM_EGRESS_URL: wrongName.url,
    UPSTREAM_CHARTS_AND_REPORTS_URL: selfSigned.url
  })
  const browser = await signIn(gateway.url, sandbox, 'customer.admin')
  t.equal((await browser.call(BACKUPS)).status, 200, 'a good one is')
  for (const [name, path, upstream] of [
    ['another name', EXPORTS, wrongName],
    ['nobody’s signature', `/api/v1/charts-and-reports/${NOTABLE.northwind}/reports`, selfSigned]
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

t.test('a call that gets no connection in time is refused, and is not made later', async (t) => {
  const hanging = await hangingUpstream(t)
  const portal = await startPortal(t, {
    startedSandbox: sandbox,
    env: { UPSTREAM_EGRESS_URL: hanging.url, UPSTREAM_CONNECTIONS: '1', UPSTREAM_TIMEOUT_MS: '60000' },
    limits: { connectionWaitMs: 100 }
  })
  const call = await callerOf(portal)
  const first = call(EXPORTS)
  await eventually(() => hanging.waiting.size === 1)
  for (let round = 0; round < 3; round += 1) {
    for (const answer of await Promise.all([call(EXPORTS), call(EXPORTS), call(EXPORTS)])) {
      t.equal(answer.status, 503)
      t.ok(Number(answer.headers.get('retry-after')) > 0)
      t.match(await answer.json(), { type: 'urn:portal:problem:upstream_busy' })
    }
  }
  hanging.answerAll()
  t.equal((await first).status, 200, 'the one before is answered')
  await eventually(() => hanging.waiting.size === 0)
  t.equal(hanging.gone(), 0, 'and none of the refused has reached the upstream')
})
