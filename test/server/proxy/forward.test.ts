import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import type { Problem } from '#shared/answers/portal.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { freePort, startPortal } from '#test/support/portal.ts'
import { eventually, settled } from '../../support/eventually.ts'
import { type Behaviour, startTinyUpstream } from '../../support/tiny-upstream.ts'

const BACKUPS = `/api/v1/recover/customers/${NOTABLE.northwind}/backups`
/** The time limit of calls, long enough for every answered call on a busy machine. */
const TIMEOUT_MS = 3000

const upstream = await startTinyUpstream(t)
const fineAnswer = upstream.answer
const portal = await startPortal(t, {
  env: {
    UPSTREAM_RECOVER_URL: `${upstream.url}/base`,
    UPSTREAM_CONTROL_URL: upstream.url,
    UPSTREAM_ALARMS_URL: `http://localhost:${await freePort()}`,
    UPSTREAM_TIMEOUT_MS: String(TIMEOUT_MS),
    // One caller may use a quarter of the connections.
    UPSTREAM_CONNECTIONS: '20'
  }
})
const browser = await portal.as('partner.admin')
const [device] = portal.sandbox.state.devices.of(NOTABLE.northwind)
const command = (init: RequestInit, type: string) =>
  browser.call(`/api/v1/control/devices/${device?.id}/commands/read`, {
    ...init,
    method: 'POST',
    headers: { 'content-type': type, 'x-customer-id': NOTABLE.northwind }
  })
t.beforeEach(() => {
  upstream.answer = fineAnswer
  upstream.received.length = 0
  upstream.aborted = 0
  portal.sandbox.calls.length = 0
})

const problemOf = async (answer: Response) => (await answer.json()) as Problem
const NETWORK = { title: 'Network Connectivity Failed', detail: 'Unable to get the details.' }
const OTHER = { title: 'Something went wrong', detail: /problem connecting to the data service/ }
const SECRETS = /localhost|127\.0\.0\.1|ECONN|EPIPE|socket|undici|HPE_|\.ts\b|\bat /i

t.test('answers 404 to an undeclared call, without an upstream call', async (t) => {
  const undeclaredCalls = [
    'GET /api/v1/recover',
    `GET ${BACKUPS}/b-1`,
    `PUT ${BACKUPS}/b-1`,
    `POST ${BACKUPS}`,
    `GET ${BACKUPS}/`,
    `GET ${BACKUPS.toUpperCase()}`,
    `GET /API${BACKUPS.slice(4)}`,
    `GET ${BACKUPS.replace('v1', 'v2')}`,
    'POST /api/v2/management/myUser',
    'GET /api/v2/management/myUser/anything',
    'POST /noproxy/bearer-logout',
    'GET /oidc/jwks',
    'OPTIONS /api/v2/management/myUser'
  ]
  for (const call of undeclaredCalls) {
    const [method = '', path = ''] = call.split(' ')
    const answer = await browser.call(path, { method })
    // Outside /api the gateway answers GET with the client's page.
    t.ok(answer.status === 404 || (!path.startsWith('/api/') && answer.status === 200), call)
  }
  t.strictSame(upstream.received, [])
  t.strictSame(portal.sandbox.calls, [])
})

t.test('sends the path, query and body that the access decision used', async (t) => {
  await browser.call(`${BACKUPS}?page=1&from=2026-01-01T00%3A00:00Z&%73ize=2`)
  t.match(upstream.received, [
    { method: 'GET', url: `/base${BACKUPS}?page=1&from=2026-01-01T00%3A00%3A00Z&size=2` }
  ])
  await browser.call(`${BACKUPS}?`)
  await browser.call(`${BACKUPS}/b%20%C3%A4-1`, { method: 'DELETE' })
  t.equal(upstream.received.at(-1)?.url, `/base${BACKUPS}`, 'sends no upstream call for an invalid id')
  await browser.call(`${BACKUPS}/b%C3%A4-1`, { method: 'DELETE' })
  t.match(upstream.received.at(-1), { method: 'DELETE', url: `/base${BACKUPS}/b%C3%A4-1` })
  for (const type of [
    'application/json; charset=utf-16',
    'application/merge-patch+json',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    'text/plain'
  ]) {
    t.equal(
      (await command({ body: '{ "cloudIds": [ "\\u00e4" ], "requestProcessingPriority": 255 }' }, type))
        .status,
      200,
      type
    )
    const { headers = [], body: sentBody } = upstream.received.at(-1) ?? {}
    t.equal(Object.fromEntries(headers)['content-type'], 'application/json')
    t.equal(String(sentBody), '{"cloudIds":["ä"],"requestProcessingPriority":255}')
  }
  upstream.received.length = 0
  for (const body of ['no json', '{"notes":"ä","notes":"twice"}', Buffer.from([0, 255, 13, 10, 0])])
    t.equal((await command({ body }, 'application/json')).status, 400, String(body))
  t.strictSame(upstream.received, [])
})

t.test('answers an upstream’s refusal as a problem with the same code, without a retry', async (t) => {
  const refusals: [upstreamStatus: number, status: number, type: string, texts: object][] = [
    [400, 400, 'upstream_refused', OTHER],
    [403, 403, 'forbidden', { title: 'Not allowed' }],
    [404, 404, 'not_found', { title: 'Not found' }],
    [
      409,
      409,
      'upstream_refused',
      { title: 'Data Conflict found', detail: 'Unable to complete the request due to a conflict.' }
    ],
    [418, 418, 'upstream_refused', OTHER],
    [429, 503, 'upstream_unavailable', NETWORK],
    [500, 502, 'upstream_failed', OTHER],
    [504, 504, 'upstream_timeout', NETWORK]
  ]
  const body = gzipSync(
    JSON.stringify({ errors: [{ code: 'SOME_CODE', message: 'db-7.internal:5432 refused' }] })
  )
  const headers = { 'retry-after': '2', 'content-encoding': 'gzip' }
  for (const [upstreamStatus, status, type, texts] of refusals) {
    for (const method of ['GET', 'DELETE']) {
      upstream.received.length = 0
      upstream.answer = (_request, response) => response.writeHead(upstreamStatus, headers).end(body)
      const answer = await browser.call(method === 'GET' ? BACKUPS : `${BACKUPS}/b-1`, { method })
      t.equal(answer.status, status, `${method} ${upstreamStatus}`)
      t.match(answer.headers.get('content-type'), 'application/problem+json')
      const problem = await problemOf(answer)
      t.match(problem, { type: `urn:portal:problem:${type}`, status, requestId: /./, ...texts })
      t.equal(problem.code, 'SOME_CODE', `${upstreamStatus}`)
      t.notMatch(JSON.stringify(problem), /internal|:5432/)
      t.equal(upstream.received.length, 1, `${upstreamStatus} is not repeated`)
    }
  }
})

t.test('answers a refusal of the input with the upstream’s reasons and their fields', async (t) => {
  upstream.answer = (_request, response) =>
    response.writeHead(422).end(JSON.stringify({ errors: [{ message: 'Too long', field: 'notes' }] }))
  const answer = await browser.call(`${BACKUPS}/b-1`, { method: 'DELETE' })
  t.equal(answer.status, 422)
  t.match(await problemOf(answer), {
    title: 'Not accepted',
    detail: 'Too long.',
    errors: [{ detail: 'Too long', field: 'notes' }]
  })
})

t.test('answers an upstream’s failure without addresses, and does not retry', async (t) => {
  const raw =
    (text: string): Behaviour =>
    (request) =>
      request.socket.end(text)
  const cases: [name: string, behaviour: Behaviour][] = [
    ['a reset connection', (request) => request.socket.resetAndDestroy()],
    ['a connection closed without an answer', (request) => request.socket.end()],
    ['bytes that are not HTTP', raw('SSH-2.0-OpenSSH_9.9\r\n')],
    ['half a header', raw('HTTP/1.1 200 OK\r\nContent-Ty')],
    ['a null byte in a value', raw('HTTP/1.1 200 OK\r\nETag: a\0b\r\nContent-Length: 0\r\n\r\n')],
    ['headers without end', raw(`HTTP/1.1 200 OK\r\n${'x-more: y\r\n'.repeat(20_000)}`)],
    ['two lengths', raw('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab')]
  ]
  const expectUnreachable = async (answer: Response, name: string) => {
    t.equal(answer.status, 503, name)
    const problem = await problemOf(answer)
    t.match(problem, { type: 'urn:portal:problem:upstream_unreachable', ...NETWORK })
    t.notMatch(JSON.stringify(problem), SECRETS)
  }
  for (const [name, behaviour] of cases) {
    upstream.received.length = 0
    upstream.answer = behaviour
    await expectUnreachable(await browser.call(BACKUPS), name)
    t.equal(upstream.received.length, 1, name)
  }
  for (const [name, behaviour] of cases) {
    upstream.received.length = 0
    upstream.answer = behaviour
    const change = await browser.call(`${BACKUPS}/b-1`, { method: 'DELETE' })
    t.equal(change.status, 504, `${name}: the change may have been made`)
    t.match(await problemOf(change), { type: 'urn:portal:problem:upstream_cut_off', ...NETWORK })
    t.equal(upstream.received.length, 1, name)
  }
  const search = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
  const path = `/api/v1/alarms/customers/${NOTABLE.northwind}/alarms:search`
  await expectUnreachable(await browser.call(path, search), 'no upstream listens')
  upstream.answer = fineAnswer
  t.equal((await browser.call(BACKUPS)).status, 200, 'works again when the upstream has recovered')
})

t.test('applies one time limit to headers, refusals and short answers', async (t) => {
  const timers = new Set<NodeJS.Timeout>()
  t.teardown(() => {
    for (const timer of timers) clearInterval(timer)
  })
  const trickle =
    (status: number, headers: Record<string, string>): Behaviour =>
    (_request, response) => {
      response.writeHead(status, headers).write('{"errors":')
      timers.add(setInterval(() => response.write(' '), TIMEOUT_MS / 20))
    }
  const cases: [page: number, behaviour: Behaviour, status: number, type: string][] = [
    [1, () => {}, 504, 'upstream_timeout'],
    [2, trickle(500, {}), 502, 'upstream_failed'],
    [3, trickle(409, { 'content-length': '60000' }), 409, 'upstream_refused'],
    [4, trickle(200, { 'content-length': '60000' }), 504, 'upstream_timeout']
  ]
  upstream.answer = (request, response) => {
    const page = Number(new URL(request.url ?? '', upstream.url).searchParams.get('page'))
    return cases[page - 1]?.[1](request, response)
  }
  await Promise.all(
    cases.map(async ([page, , status, type]) => {
      const answer = await browser.call(`${BACKUPS}?page=${page}`)
      t.equal(answer.status, status, `page ${page}`)
      t.match(await problemOf(answer), { type: `urn:portal:problem:${type}` })
    })
  )
  await eventually(() => upstream.aborted === cases.length)
})

t.test('forwards a 304 that has a Content-Length', async (t) => {
  for (const length of ['0', '5', '60000', '100000']) {
    upstream.answer = (request) =>
      request.socket.end(`HTTP/1.1 304 Not Modified\r\nContent-Length: ${length}\r\nETag: "1"\r\n\r\n`)
    const answer = await browser.call(BACKUPS, { headers: { 'if-none-match': '"1"' } })
    t.equal(answer.status, 304, length)
    t.equal(answer.headers.get('etag'), '"1"')
  }
})

t.test('answers 503 for a truncated short answer, and closes the connection for a long answer', async (t) => {
  const truncate =
    (length: Record<string, string>): Behaviour =>
    (request, response) => {
      response.writeHead(200, { ...length, 'content-type': 'application/json' })
      response.write('{"half":', () => request.socket.resetAndDestroy())
    }
  upstream.answer = truncate({ 'content-length': '65536' })
  const shortAnswer = await browser.call(BACKUPS)
  t.equal(shortAnswer.status, 503)
  t.match(await problemOf(shortAnswer), { type: 'urn:portal:problem:upstream_unreachable', ...NETWORK })
  for (const length of [{ 'content-length': '65537' }, {}] as Record<string, string>[]) {
    upstream.answer = truncate(length)
    const longAnswer = await browser.call(BACKUPS)
    t.equal(longAnswer.status, 200)
    await t.rejects(longAnswer.text())
  }
  upstream.answer = fineAnswer
  t.equal((await browser.call(BACKUPS)).status, 200)
  t.notMatch(portal.logged.join(''), /"level":"fatal"/)
})

t.test('forwards an answer unchanged, short or long, with or without a Content-Length', async (t) => {
  for (const bytes of [0, 1, 65_536, 65_537, 3_000_000]) {
    const body = Buffer.alloc(bytes, 'abcdefg')
    for (const hasLength of [true, false]) {
      upstream.answer = (_request, response) => {
        response.writeHead(200, hasLength ? { 'content-length': bytes } : {})
        // Writes in pieces, so that a long answer takes time.
        for (let at = 0; at < bytes; at += 50_000) response.write(body.subarray(at, at + 50_000))
        response.end()
      }
      const answer = await browser.call(BACKUPS)
      t.equal(answer.status, 200)
      const received = Buffer.from(await answer.arrayBuffer())
      t.ok(received.equals(body), `${bytes} bytes${hasLength ? ', with a Content-Length' : ''}`)
    }
  }
})

t.test('reads from the upstream only as fast as the client reads', async (t) => {
  const bytes = 64 * 1024 * 1024
  let sentBytes = 0
  upstream.answer = async (_request, response) => {
    response.writeHead(200, { 'content-length': bytes })
    const chunk = Buffer.alloc(65_536)
    while (sentBytes < bytes) {
      sentBytes += chunk.length
      if (!response.write(chunk)) await once(response, 'drain')
    }
    response.end()
  }
  const answer = await browser.call(BACKUPS)
  await settled(() => sentBytes)
  t.ok(sentBytes < bytes / 2, `${sentBytes} of ${bytes} bytes; the sockets on the way buffer a few megabytes`)
  let readBytes = 0
  for await (const chunk of answer.body ?? []) readBytes += chunk.length
  t.equal(readBytes, bytes, 'forwards the whole answer')
})

t.test('cancels the upstream call when the client disconnects', async (t) => {
  for (const hasBegun of [false, true]) {
    upstream.received.length = 0
    upstream.aborted = 0
    upstream.answer = (_request, response) => {
      if (hasBegun) response.writeHead(200).write('x'.repeat(100))
    }
    const aborter = new AbortController()
    const answer = browser.call(BACKUPS, { signal: aborter.signal }).then((reply) => reply.text())
    await eventually(() => upstream.received.length === 1)
    aborter.abort()
    await t.rejects(answer)
    await eventually(() => upstream.aborted === 1, TIMEOUT_MS)
    t.pass(hasBegun ? 'during the answer' : 'before the answer')
  }
})

t.test('gives one caller a quarter of the connections, and other callers the rest', async (t) => {
  const otherBrowser = await portal.as('customer.admin')
  const pending: ServerResponse[] = []
  upstream.answer = (_request, response) => void pending.push(response)
  const calls = Array.from({ length: 6 }, () => browser.call(BACKUPS))
  await eventually(() => pending.length === 5)
  upstream.answer = fineAnswer
  t.equal((await otherBrowser.call(BACKUPS)).status, 200)
  t.equal(upstream.received.length, 6, 'the sixth call of the first caller waits')
  for (const response of pending) response.end('{}')
  for (const call of calls) t.equal((await call).status, 200)
})

t.test('releases the connection after every outcome of a call', async (t) => {
  const outcomes: Behaviour[] = [
    fineAnswer,
    (_request, response) => response.writeHead(204).end(),
    (_request, response) => response.writeHead(304).end(),
    (_request, response) => response.writeHead(404).end('{}'),
    (_request, response) => response.writeHead(500).end('x'.repeat(100_000)),
    (_request, response) => response.writeHead(200, { 'content-length': '100000' }).end('x'.repeat(100_000)),
    (request) => request.socket.resetAndDestroy()
  ]
  for (const outcome of outcomes) {
    upstream.answer = outcome
    // One call more than the connections of one caller.
    for (let call = 0; call < 6; call += 1) await (await browser.call(BACKUPS)).arrayBuffer()
    t.equal(upstream.received.splice(0).length, 6)
  }
})
