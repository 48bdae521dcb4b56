import { connect } from 'node:net'
import t from 'tap'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { LIMITS } from '#server/http/limits.ts'
import { buildOperations } from '#server/lifecycle/operations.ts'
import { createMetrics } from '#server/observability/metrics.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Portal, startPortal } from '#test/support/portal.ts'
import { cookiesOf } from '../../support/visits.ts'

const limits = { headersMs: 300, requestMs: 700, checkMs: 50 }
const backend = createMemoryBackend(Date.now)
t.teardown(() => backend.close())
const unlimitedPortal = await startPortal(t, { backend, secrets: ['s'.repeat(32)] })
const portal = await startPortal(t, {
  limits,
  env: { CALLS_IN_FLIGHT: '1' },
  backend,
  secrets: ['s'.repeat(32)],
  startedSandbox: unlimitedPortal.sandbox
})
const cookie = await cookiesOf(await unlimitedPortal.as('partner.admin'))
const READ = `/api/v1/control/devices/d-1001-105/commands/read`
const headTo = ({ url }: Portal) =>
  [
    `POST ${READ} HTTP/1.1`,
    'host: x',
    `cookie: ${cookie}`,
    `origin: ${url}`,
    'x-portal-csrf: 1',
    `x-customer-id: ${NOTABLE.northwind}`,
    'content-type: application/json'
  ].join('\r\n')
const addressOf = ({ url }: Portal) => {
  const { port, hostname } = new URL(url)
  return { port: Number(port), host: hostname }
}

/** Sends the beginning, then single pieces until the peer closes the connection. Returns the answer. */
function drip(target: Portal, beginning: string, piece: (at: number) => string, everyMs = 20) {
  const start = performance.now()
  return new Promise<{ text: string; ms: number }>((resolve) => {
    let [text, index] = ['', 0]
    const socket = connect({ ...addressOf(target), allowHalfOpen: true })
    socket.write(beginning)
    const timer = setInterval(() => socket.write(piece(index++)), everyMs)
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.on('end', () => {
      if (piece(index) === '') socket.destroy()
    })
    socket.on('close', () => {
      clearInterval(timer)
      resolve({ text, ms: performance.now() - start })
    })
  })
}

t.test('production allows 10 s for headers and 30 s for a request', async (t) => {
  const { app, config } = await startPortal(t, { startedSandbox: unlimitedPortal.sandbox })
  const operations = await buildOperations({ app, config, metrics: createMetrics(), clock: Date.now })
  t.teardown(() => operations.close())
  for (const { server } of [app, operations]) {
    const { headersTimeout, requestTimeout } = server
    t.match({ headersTimeout, requestTimeout }, { headersTimeout: 10_000, requestTimeout: 30_000 })
  }
  t.equal(LIMITS.checkMs, 1_000)
})

t.test('times out slow headers', async (t) => {
  const { text, ms } = await drip(portal, 'GET / HTTP/1.1\r\nhost: x\r\nx-slow: ', () => 'a')
  t.match(text, /^HTTP\/1\.1 408 /)
  t.match(text, /application\/problem\+json.*request_timeout/s)
  t.ok(ms >= limits.headersMs - limits.checkMs && ms < 20 * limits.headersMs, `${Math.round(ms)} ms`)
})

t.test('times out a slow body, and no longer counts its call as in flight', async (t) => {
  for (const framing of ['content-length: 1000', 'transfer-encoding: chunked']) {
    const byte = framing.startsWith('content') ? ' ' : '1\r\n \r\n'
    const { text, ms } = await drip(portal, `${headTo(portal)}\r\n${framing}\r\n\r\n`, () => byte)
    t.match(text, /^HTTP\/1\.1 408 /, framing)
    t.match(text, /application\/problem\+json.*request_timeout/s)
    t.ok(ms >= limits.requestMs - limits.checkMs && ms < 20 * limits.requestMs, `${Math.round(ms)} ms`)
    // Injects this call, because on a connection its headers could time out.
    const headers = { cookie, 'x-portal-csrf': '1' }
    const nextAnswer = await portal.app.inject({ url: '/api/v2/management/myUser', headers })
    t.equal(nextAnswer.statusCode, 200)
  }
  t.notMatch(portal.logged.join('\n'), /"level":"(?:error|fatal)"/)
})

t.test('does not time out a slow body that arrives in time', async (t) => {
  const body = JSON.stringify({ pointIds: [] })
  const head = `${headTo(unlimitedPortal)}\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n`
  const { text } = await drip(unlimitedPortal, head, (at) => body[at] ?? '', 5)
  t.notMatch(text, /^HTTP\/1\.1 408 /)
  t.match(text, /^HTTP\/1\.1 [24]\d\d /)
})
