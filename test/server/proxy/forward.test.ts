import { connect } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import type { Problem } from '#shared/entities.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { freePort, startPortal } from '#test/support/portal.ts'
import { eventually } from '../../support/redis-server.ts'
import { sentCookies } from '../../support/sent-cookies.ts'
import { type Behaviour, startTinyUpstream } from '../../support/tiny-upstream.ts'

const BACKUPS = `/api/v1/recover/customers/${NOTABLE.northwind}/backups`
const MY_USER = '/api/v2/management/myUser'
/** Long enough for every call that is answered, also on a busy machine. */
const TIMEOUT_MS = 3000
const BODY_MAX_BYTES = 512 * 1024

const upstream = await startTinyUpstream(t)
const fine = upstream.answer
const portal = await startPortal(t, {
  env: {
    UPSTREAM_RECOVER_URL: `${upstream.url}/base`,
    UPSTREAM_CONTROL_URL: upstream.url,
    UPSTREAM_ALARMS_URL: `http://localhost:${await freePort()}`,
    UPSTREAM_TIMEOUT_MS: String(TIMEOUT_MS),
    UPSTREAM_CONNECTIONS: '2'
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
  upstream.answer = fine
  upstream.received.length = 0
  upstream.cutOff = 0
  portal.sandbox.calls.length = 0
})

const problemOf = async (answer: Response) => (await answer.json()) as Problem
const NETWORK = { title: 'Network Connectivity Failed', detail: 'Unable to get the details.' }
const OTHER = { title: 'Something went wrong', detail: /problem connecting to the data service/ }
const SECRETS = /localhost|127\.0\.0\.1|ECONN|EPIPE|socket|undici|HPE_|\.ts\b|\bat /i

t.test('what is in no row is unknown, and no upstream hears of it', async (t) => {
  const unknown = [
    'GET /api/v1/recover',
    `GET ${BACKUPS}/b-1`,
    `PUT ${BACKUPS}/b-1`,
    `POST ${BACKUPS}`,
    `GET ${BACKUPS}/b-1/download/more`,
    `GET ${BACKUPS}/`,
    `GET ${BACKUPS.toUpperCase()}`,
    `GET /API${BACKUPS.slice(4)}`,
    `GET ${BACKUPS.replace('v1', 'v2')}`,
    'GET /api/v1/other/things',
    'GET /api/v2/management',
    'POST /api/v2/management/myUser',
    'DELETE /api/v2/management/users/u-1',
    'GET /api/v2/management/myUser/anything',
    'GET /noproxy/bearer-logout',
    'POST /noproxy/bearer-logout',
    'GET /oidc/jwks',
    'PUT /api/v1/subscription/customers/c-1001',
    'OPTIONS /api/v2/management/myUser'
  ]
  for (const call of unknown) {
    const [method = '', path = ''] = call.split(' ')
    const answer = await browser.call(path, { method })
    // Outside /api the client answers GETs with its screens.
    t.ok(answer.status === 404 || (!path.startsWith('/api/') && answer.status === 200), call)
  }
  t.strictSame(upstream.received, [])
  t.strictSame(portal.sandbox.calls, [])
})

t.test('a path that could be read in two ways is refused, and no upstream hears of it', async (t) => {
  const cookie = (await sentCookies(browser.jar)).join('; ')
  const port = Number(new URL(portal.url).port)
  const ask = (path: string) =>
    new Promise<string>((resolve, reject) => {
      const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nx-portal-csrf: 1\r\nCookie: ${cookie}\r\n\r\n`
      const socket = connect(port, 'localhost', () => socket.end(head, 'latin1'))
      let got = ''
      socket.on('data', (chunk) => {
        got += chunk
      })
      socket.once('close', () => resolve(got.slice(0, 12)))
      socket.once('error', reject)
    })
  const tricks = [
    '/./',
    '/../',
    '/%2e/',
    '/%2e%2e/',
    '/.%2E/',
    '//',
    '/%2f',
    '/%5c',
    '/\\',
    '/;x=1/',
    '/%3b/',
    '/%00/',
    '/%25/',
    '/%252e/',
    '/%0a/',
    '/%7f/'
  ]
  for (const trick of tricks) {
    for (const path of [
      `/api/v1/recover${trick}customers/c-1001/backups`,
      `${BACKUPS}${trick}b-1`,
      `/api${trick}v2/management/myUser`
    ])
      t.equal(await ask(path), 'HTTP/1.1 400', path)
  }
  t.strictSame(upstream.received, [])
  t.strictSame(portal.sandbox.calls, [])
})

t.test('the call arrives as it was decided on: path, query and body', async (t) => {
  await browser.call(`${BACKUPS}?page=1&from=2026-01-01T00%3A00:00Z&%73ize=2`)
  t.match(upstream.received, [
    { method: 'GET', url: `/base${BACKUPS}?page=1&from=2026-01-01T00%3A00%3A00Z&size=2` }
  ])
  await browser.call(`${BACKUPS}?`)
  await browser.call(`${BACKUPS}/b%20%C3%A4-1`, { method: 'DELETE' })
  t.equal(upstream.received.at(-1)?.url, `/base${BACKUPS}`, 'what is no id is nowhere')
  await browser.call(`${BACKUPS}/b%C3%A4-1`, { method: 'DELETE' })
  t.match(upstream.received.at(-1), { method: 'DELETE', url: `/base${BACKUPS}/b%C3%A4-1` })
  for (const type of ['application/json', 'text/plain', 'application/octet-stream']) {
    t.equal((await command({ body: '{ "cloudIds": [ "\\u00e4" ] }' }, type)).status, 200, type)
    const { headers = [], body: arrived } = upstream.received.at(-1) ?? {}
    t.equal(Object.fromEntries(headers)['content-type'], 'application/json')
    t.equal(String(arrived), '{"cloudIds":["ä"]}')
  }
  upstream.received.length = 0
  for (const body of ['no json', '{"notes":"ä","notes":"twice"}', Buffer.from([0, 255, 13, 10, 0])])
    t.equal((await command({ body }, 'application/json')).status, 400, String(body))
  t.strictSame(upstream.received, [])
})

t.test('an upstream’s refusal is told in our form, with its code, after one call', async (t) => {
  const refusals: [answered: number, status: number, type: string, words: object][] = [
    [400, 400, 'upstream_refused', OTHER],
    [403, 403, 'forbidden', { title: 'Not allowed' }],
    [404, 404, 'not_found', { title: 'Not found' }],
    [
      409,
      409,
      'upstream_refused',
      { title: 'Data Conflict found', detail: 'Unable to complete the request due to a conflict.' }
    ],
    [410, 410, 'upstream_refused', OTHER],
    [418, 418, 'upstream_refused', OTHER],
    [429, 503, 'upstream_unavailable', NETWORK],
    [500, 502, 'upstream_failed', OTHER],
    [502, 502, 'upstream_failed', OTHER],
    [503, 503, 'upstream_unavailable', NETWORK],
    [504, 503, 'upstream_unavailable', NETWORK]
  ]
  const body = JSON.stringify({ errors: [{ code: 'SOME_CODE', message: 'db-7.internal:5432 refused' }] })
  for (const [answered, status, type, words] of refusals) {
    for (const method of ['GET', 'DELETE']) {
      upstream.received.length = 0
      upstream.answer = (_request, response) => response.writeHead(answered, { 'retry-after': '2' }).end(body)
      const answer = await browser.call(method === 'GET' ? BACKUPS : `${BACKUPS}/b-1`, { method })
      t.equal(answer.status, status, `${method} ${answered}`)
      t.match(answer.headers.get('content-type'), 'application/problem+json')
      const problem = await problemOf(answer)
      t.match(problem, { type: `urn:portal:problem:${type}`, status, requestId: /./, ...words })
      t.equal(problem.code, 'SOME_CODE', `${answered}`)
      t.notMatch(JSON.stringify(problem), /internal|:5432/)
      t.equal(upstream.received.length, 1, `${answered} is not asked again`)
    }
  }
})

t.test('of several codes the one that a screen waits for arrives, as short as codes are', async (t) => {
  const codes: [listed: unknown[], told: string | undefined][] = [
    [
      ['VALIDATION', 'DUPLICATE_PROJECT_FOR_CUSTOMER_AND_PARTNER_EXISTS'],
      'DUPLICATE_PROJECT_FOR_CUSTOMER_AND_PARTNER_EXISTS'
    ],
    [[7, 'notFound'], 'notFound'],
    [['x'.repeat(5_000)], undefined],
    [['db-7.internal:5432 <refused>'], undefined]
  ]
  for (const status of [403, 404, 409]) {
    for (const [listed, told] of codes) {
      const body = JSON.stringify({ errors: listed.map((code) => ({ code })) })
      upstream.answer = (_request, response) => response.writeHead(status).end(body)
      t.equal((await problemOf(await browser.call(BACKUPS))).code, told, `${status} ${body.slice(0, 60)}`)
    }
  }
})

t.test('an upstream’s code arrives, however its refusal is encoded', async (t) => {
  const body = JSON.stringify({ errors: [{ code: 'SOME_CODE' }] })
  for (const [coding, bytes] of [
    ['gzip', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['br', brotliCompressSync(body)],
    ['zstd', zstdCompressSync(body)]
  ] as const) {
    for (const length of [{ 'content-length': bytes.length }, {}]) {
      upstream.answer = (_request, response) =>
        response.writeHead(409, { 'content-encoding': coding, ...length }).end(bytes)
      const answer = await browser.call(BACKUPS)
      t.equal(answer.status, 409)
      t.equal(answer.headers.get('content-encoding'), null)
      t.equal((await problemOf(answer)).code, 'SOME_CODE', coding)
    }
  }
})

t.test('an upstream that fails badly is told as what it is, without addresses', async (t) => {
  const unreachable = [503, 'upstream_unreachable', NETWORK] as const
  const late = [504, 'upstream_timeout', NETWORK] as const
  const raw =
    (text: string): Behaviour =>
    (request) =>
      request.socket.end(text)
  const cases: [name: string, behaviour: Behaviour, ...told: readonly [number, string, object]][] = [
    ['cut off', (request) => request.socket.resetAndDestroy(), ...unreachable],
    ['closed without a word', (request) => request.socket.end(), ...unreachable],
    ['no HTTP', raw('SSH-2.0-OpenSSH_9.9\r\n'), ...unreachable],
    ['half a header', raw('HTTP/1.1 200 OK\r\nContent-Ty'), ...unreachable],
    [
      'two lengths',
      raw('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
      ...unreachable
    ],
    ['silent', () => {}, ...late]
  ]
  for (const [name, behaviour, status, type, words] of cases) {
    upstream.received.length = 0
    upstream.answer = behaviour
    const answer = await browser.call(BACKUPS)
    t.equal(answer.status, status, name)
    const problem = await problemOf(answer)
    t.match(problem, { type: `urn:portal:problem:${type}`, ...words })
    t.notMatch(JSON.stringify(problem), SECRETS)
    t.equal(upstream.received.length, 1, `${name}: not asked again`)
  }
  const answer = await browser.call(`/api/v1/alarms/customers/${NOTABLE.northwind}/alarms:search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}'
  })
  const problem = await problemOf(answer)
  t.match(
    problem,
    { status: 503, type: 'urn:portal:problem:upstream_unreachable', ...NETWORK },
    'nobody listens'
  )
  t.notMatch(JSON.stringify(problem), SECRETS)
  upstream.answer = fine
  t.equal((await browser.call(BACKUPS)).status, 200, 'it goes on as soon as the upstream does')
})

t.test('an error answer that has no end, or is no JSON, is still an answer', async (t) => {
  const endless: Behaviour = (_request, response) => void response.writeHead(500).write('{"errors":')
  const huge: Behaviour = (_request, response) =>
    response.writeHead(500).end(`{"x":"${'x'.repeat(200_000)}"}`)
  const html: Behaviour = (_request, response) =>
    response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Oops db-7.internal</h1>')
  for (const [name, behaviour] of Object.entries({ endless, huge, html })) {
    upstream.answer = behaviour
    const answer = await browser.call(BACKUPS)
    t.equal(answer.status, 502, name)
    const problem = await problemOf(answer)
    t.match(problem, OTHER)
    t.notOk('code' in problem)
    t.notMatch(JSON.stringify(problem), /internal|<h1>/)
  }
})

t.test(
  'an answer that breaks off is a failure when it is short, and breaks off for the caller when it is long',
  async (t) => {
    const breakingOff =
      (length: Record<string, string>): Behaviour =>
      (request, response) => {
        response.writeHead(200, { ...length, 'content-type': 'application/json' })
        response.write('{"half":', () => request.socket.resetAndDestroy())
      }
    upstream.answer = breakingOff({ 'content-length': '65536' })
    const short = await browser.call(BACKUPS)
    t.equal(short.status, 503)
    t.match(await problemOf(short), { type: 'urn:portal:problem:upstream_unreachable', ...NETWORK })
    for (const length of [{ 'content-length': '65537' }, {}] as Record<string, string>[]) {
      upstream.answer = breakingOff(length)
      const long = await browser.call(BACKUPS)
      t.equal(long.status, 200)
      await t.rejects(long.text())
    }
    upstream.answer = fine
    t.equal((await browser.call(BACKUPS)).status, 200)
    t.notMatch(portal.logged.join(''), /"level":"fatal"/)
  }
)

t.test('an answer arrives as it was sent, short or long, with or without its length said', async (t) => {
  for (const bytes of [0, 1, 65_536, 65_537, 3_000_000]) {
    const body = Buffer.alloc(bytes, 'abcdefg')
    for (const said of [true, false]) {
      upstream.answer = (_request, response) => {
        response.writeHead(200, said ? { 'content-length': bytes } : {})
        // In pieces, so that a long one is not there at once.
        for (let at = 0; at < bytes; at += 50_000) response.write(body.subarray(at, at + 50_000))
        response.end()
      }
      const answer = await browser.call(BACKUPS)
      t.equal(answer.status, 200)
      const arrived = Buffer.from(await answer.arrayBuffer())
      t.ok(arrived.equals(body), `${bytes} bytes${said ? ', as it said' : ''}`)
    }
  }
})

t.test('a caller who reads slowly holds the upstream up, not our memory', async (t) => {
  const bytes = 64 * 1024 * 1024
  let sent = 0
  upstream.answer = (_request, response) => {
    response.writeHead(200, { 'content-length': bytes })
    const chunk = Buffer.alloc(65_536)
    const go = () => {
      while (sent < bytes) {
        sent += chunk.length
        if (!response.write(chunk)) return void response.once('drain', go)
      }
      response.end()
    }
    go()
  }
  const answer = await browser.call(BACKUPS)
  const reader = answer.body?.getReader()
  await reader?.read()
  // What the sockets on the way hold is a few megabytes.
  let before = -1
  await eventually(() => {
    const still = sent === before
    before = sent
    return still
  })
  t.ok(sent < bytes, `${sent} of ${bytes} bytes were taken from the upstream`)
  await reader?.cancel()
  await eventually(() => upstream.cutOff === 1)
})

t.test('a body over the limit is refused before it is sent, one at the limit passes', async (t) => {
  const wanted = '{"cloudIds":["c-71"]}'
  const send = (bytes: number, chunked: boolean) => {
    const body = Buffer.from(wanted.padEnd(bytes))
    const stream = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes; at += 65_536) controller.enqueue(body.subarray(at, at + 65_536))
        controller.close()
      }
    })
    const init = chunked ? { body: stream, duplex: 'half' as const } : { body }
    return command(init, 'application/json')
  }
  for (const chunked of [false, true]) {
    const refused = await send(BODY_MAX_BYTES + 1, chunked)
    t.equal(refused.status, 413)
    t.match(await problemOf(refused), { status: 413 })
    t.strictSame(upstream.received, [], 'nothing was passed on')
  }
  t.equal((await send(BODY_MAX_BYTES, false)).status, 200)
  t.equal(String(upstream.received[0]?.body), wanted, 'as it was decided on')
})

t.test('when the caller goes, the call upstream ends', async (t) => {
  for (const begins of [false, true]) {
    upstream.received.length = 0
    upstream.cutOff = 0
    upstream.answer = (_request, response) => {
      if (begins) response.writeHead(200).write('x'.repeat(100))
    }
    const gone = new AbortController()
    const answer = browser.call(BACKUPS, { signal: gone.signal }).then((begun) => begun.text())
    await eventually(() => upstream.received.length === 1)
    gone.abort()
    await t.rejects(answer)
    await eventually(() => upstream.cutOff === 1, TIMEOUT_MS)
    t.pass(begins ? 'while it is answered' : 'before it is answered')
  }
})

t.test('an upstream that hangs refuses further calls at once, and takes no other with it', async (t) => {
  const held: (() => void)[] = []
  upstream.answer = (request, response) => void held.push(() => fine(request, response))
  const patient = await startPortal(t, {
    startedSandbox: portal.sandbox,
    env: { UPSTREAM_RECOVER_URL: upstream.url, UPSTREAM_CONNECTIONS: '2' },
    limits: { connectionWaitMs: 60_000 }
  })
  const caller = await patient.as('partner.admin')
  const cap = 2 * 4
  const waiting = Array.from({ length: cap }, () => caller.call(BACKUPS))
  await eventually(() => held.length === 2)
  for (let surplus = 0; surplus < 3; surplus += 1) {
    const answer = await caller.call(BACKUPS)
    t.equal(held.length, 2, 'while the others wait on')
    t.equal(answer.headers.get('retry-after'), '1')
    t.match(await problemOf(answer), { status: 503, type: 'urn:portal:problem:upstream_busy', ...NETWORK })
  }
  t.equal((await caller.call(MY_USER)).status, 200, 'the other upstreams answer')
  upstream.answer = fine
  for (const release of held) release()
  const answers = await Promise.all(waiting)
  t.strictSame([...new Set(answers.map(({ status }) => status))], [200])
  t.equal((await caller.call(BACKUPS)).status, 200, 'there is room again')
})

t.test('places are free again after every kind of end', async (t) => {
  const ends: Behaviour[] = [
    fine,
    (_request, response) => response.writeHead(204).end(),
    (_request, response) => response.writeHead(404).end('{}'),
    (_request, response) => response.writeHead(500).end('x'.repeat(100_000)),
    (request) => request.socket.resetAndDestroy()
  ]
  for (const [index, end] of ends.entries()) {
    upstream.answer = end
    for (let call = 0; call < 10; call += 1) {
      const { status } = await browser.call(BACKUPS).then(async (answer) => {
        await answer.text()
        return answer
      })
      if (status === 503 && index < 4) t.fail(`call ${call} after end ${index} found no place`)
    }
  }
  upstream.answer = fine
  t.equal((await browser.call(BACKUPS)).status, 200)
})
