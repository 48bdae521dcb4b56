import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { createMetrics } from '#server/observability/metrics.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Portal, startPortal } from '#test/support/portal.ts'
import { eventually } from '../../support/eventually.ts'
import { startTinyUpstream } from '../../support/tiny-upstream.ts'
import { cookiesOf } from '../../support/visits.ts'

const UNREAD_MS = 400
/** Connections that one caller may use: a quarter of all connections (pools.ts). */
const CALLER_CONNECTIONS = 4
/** A body that exceeds the buffers of the system. */
const BIG = Buffer.alloc(32 * 1024 * 1024, 'x')

const BACKUPS = `/api/v1/recover/customers/${NOTABLE.northwind}/backups`
const DOWNLOAD = `${BACKUPS}/b-1/download`

const upstream = await startTinyUpstream(t)
const metrics = createMetrics()
const portal = await startPortal(t, {
  env: {
    UPSTREAM_RECOVER_URL: upstream.url,
    UPSTREAM_CONNECTIONS: String(4 * CALLER_CONNECTIONS),
    UPSTREAM_TIMEOUT_MS: '60000'
  },
  // Calls that wait behind unread answers must get a connection, even on a busy machine.
  limits: { unreadMs: UNREAD_MS, connectionWaitMs: 60_000 },
  recorder: metrics.recorder
})
const browser = await portal.as('partner.admin')
const cookie = await cookiesOf(browser)

const answerBig = (type: string, extra = {}) => {
  upstream.answer = (request, response) => {
    if (request.url?.endsWith('/download'))
      return response.writeHead(302, { location: `${upstream.url}/file` }).end()
    return response.writeHead(200, { 'content-type': type, 'content-length': BIG.length, ...extra }).end(BIG)
  }
}
t.beforeEach(() => {
  answerBig('application/json')
  upstream.aborted = 0
  upstream.received.length = 0
})

const requestOf = (path: string, headers: string) =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\nx-portal-csrf: 1\r\n${headers}\r\n`

async function send(t: Test, { url }: Portal, path: string, headers = ''): Promise<Socket> {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.pause()
  t.teardown(() => socket.destroy())
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(requestOf(path, headers))
  return socket
}

const abortedCount = async () => {
  const prefix = 'gateway_problems_total{problem="answer_not_read"} '
  const metric = (await metrics.render()).split('\n').find((text) => text.startsWith(prefix))
  return Number(metric?.slice(prefix.length) ?? 0)
}

t.test('frees upstream connections of unread answers', async (t) => {
  const before = await abortedCount()
  await Promise.all(Array.from({ length: 2 * CALLER_CONNECTIONS }, () => send(t, portal, BACKUPS)))
  await eventually(() => upstream.received.length >= CALLER_CONNECTIONS)
  const answer = await browser.call(BACKUPS)
  t.equal((await answer.arrayBuffer()).byteLength, BIG.length, 'another caller gets an answer')
  await eventually(() => upstream.aborted === 2 * CALLER_CONNECTIONS)
  await eventually(async () => (await abortedCount()) === before + 2 * CALLER_CONNECTIONS)
})

t.test('frees the connection of an unread file', async (t) => {
  await send(t, portal, DOWNLOAD)
  await eventually(() => upstream.aborted === 1)
})

t.test('requests on the same connection do not extend the time limit', async (t) => {
  const socket = await send(t, portal, BACKUPS)
  await eventually(() => upstream.received.length === 1)
  const timer = setInterval(() => socket.write(`GET /x HTTP/1.1\r\nhost: x\r\n\r\n`), UNREAD_MS / 4)
  t.teardown(() => clearInterval(timer))
  await eventually(() => upstream.aborted === 1)
})

t.test('aborts unread answers of the gateway’s own routes', async (t) => {
  const path = `/api/portal/v1/customers/${NOTABLE.northwind}/tree`
  for (const headers of ['', 'accept: application/x-ndjson\r\n']) {
    const before = await abortedCount()
    // Several answers on one connection exceed the system's buffers.
    const socket = await send(t, portal, path, headers)
    for (let count = 0; count < 20; count += 1) socket.write(requestOf(path, headers))
    await eventually(async () => (await abortedCount()) > before, 60_000)
  }
})

t.test('lets a slow caller read to the end', async (t) => {
  const socket = await send(t, portal, BACKUPS, 'connection: close\r\n')
  let bytes = 0
  // The reader pauses four times, each time for half of the limit.
  socket.on('data', (chunk) => {
    const before = Math.trunc(bytes / (BIG.length / 4))
    bytes += chunk.length
    if (Math.trunc(bytes / (BIG.length / 4)) === before) return
    socket.pause()
    setTimeout(() => socket.resume(), UNREAD_MS / 2)
  })
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
  t.ok(bytes > BIG.length, `${bytes} bytes`)
  t.equal(upstream.aborted, 0)
})

t.test('waits for a slow upstream', async (t) => {
  const pieces = 4
  upstream.answer = async (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    for (let piece = 0; piece < pieces; piece += 1) {
      response.write(Buffer.alloc(100_000, ' '))
      await new Promise((resolve) => setTimeout(resolve, 1.5 * UNREAD_MS))
    }
    response.end('{}')
  }
  const answer = await browser.call(BACKUPS)
  t.equal((await answer.arrayBuffer()).byteLength, pieces * 100_000 + 2)
})
