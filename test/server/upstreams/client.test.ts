import type { ServerResponse } from 'node:http'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { Problem } from '#server/errors.ts'
import { freePort } from '#test/support/portal.ts'
import { eventually } from '../../support/redis-server.ts'
import { type Behaviour, clientOf, startTinyUpstream } from '../../support/tiny-upstream.ts'

const upstream = await startTinyUpstream(t)

function bearerOf(tokens: string[]) {
  const refused: string[] = []
  return {
    refused,
    accessToken: async () => tokens[0] ?? '',
    replaceToken: async (token: string) => {
      refused.push(token)
      return tokens[1] ?? null
    }
  }
}
const bearer = bearerOf(['token-1', 'token-2'])

const SHORT_TIMEOUT = { UPSTREAM_TIMEOUT_MS: '500' }

const client = clientOf(t, upstream.url)
const get = (path = '/x', signal?: AbortSignal) => client.get('MANAGEMENT', path, bearer, signal)
const json =
  (body: unknown, status = 200): Behaviour =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

async function problemOf(call: Promise<unknown>): Promise<Problem> {
  const failure = await call.then(
    () => null,
    (error) => error
  )
  if (failure instanceof Problem) return failure
  throw new Error(`not a problem: ${failure}`)
}

t.beforeEach(() => {
  upstream.received.length = 0
  upstream.answer = json({ fine: true })
})

t.test('sends only the token, and no header of the caller', async (t) => {
  t.strictSame(await clientOf(t, `${upstream.url}/base/`).get('ALARMS', '/a?b=%2F', bearer), { fine: true })
  const [call] = upstream.received
  t.equal(call?.url, '/base/a?b=%2F')
  const { host: _host, connection: _connection, ...headers } = Object.fromEntries(call?.headers ?? [])
  const { 'x-request-id': requestId, traceparent, ...others } = headers
  t.match(requestId, /^[0-9a-f-]{36}$/)
  t.match(traceparent, /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  t.strictSame(others, { accept: 'application/json', authorization: 'Bearer token-1' })
})

t.test('maps each failure to a problem, and retries only lost connections', async (t) => {
  const html: Behaviour = (_request, response) => response.writeHead(200).end('<h1>Maintenance</h1>')
  const truncate: Behaviour = (request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{', () => request.socket.resetAndDestroy())
  }
  const cases: [name: string, behaviour: Behaviour, status: number, id: string, tries: number][] = [
    ['400', json({ errors: [{ code: 'malformed' }] }, 400), 400, 'upstream_refused', 1],
    ['403', json({}, 403), 403, 'forbidden', 1],
    ['404', json({}, 404), 404, 'not_found', 1],
    ['409', json({}, 409), 409, 'upstream_refused', 1],
    ['429', json({}, 429), 503, 'upstream_unavailable', 1],
    ['500', json({}, 500), 502, 'upstream_failed', 1],
    ['503', json({}, 503), 503, 'upstream_unavailable', 1],
    [
      'a redirect',
      (_request, response) => response.writeHead(302, { location: '/y' }).end(),
      502,
      'upstream_garbled',
      1
    ],
    ['an empty answer', (_request, response) => response.writeHead(204).end(), 502, 'upstream_garbled', 1],
    ['an HTML page', html, 502, 'upstream_garbled', 1],
    ['a reset connection', (request) => request.socket.resetAndDestroy(), 503, 'upstream_unreachable', 3],
    ['a truncated answer', truncate, 503, 'upstream_unreachable', 3]
  ]
  for (const [name, behaviour, status, id, tries] of cases) {
    upstream.received.length = 0
    upstream.answer = behaviour
    const problem = await problemOf(get())
    t.match(problem, { status, id }, name)
    t.equal(upstream.received.length, tries, `${name}: ${tries} calls`)
    t.notMatch(problem.message, /localhost|ECONN/)
  }
  const behaviours: Record<string, Behaviour> = {
    'no answer': () => {},
    'half an answer': (_request, response) => response.writeHead(200).write('{')
  }
  const shortClient = clientOf(t, upstream.url, SHORT_TIMEOUT)
  for (const [name, behaviour] of Object.entries(behaviours)) {
    upstream.received.length = 0
    upstream.answer = behaviour
    t.match(
      await problemOf(shortClient.get('ALARMS', '/', bearer)),
      { status: 504, id: 'upstream_timeout' },
      name
    )
    t.equal(upstream.received.length, 1, `${name}: one call`)
  }
  t.match(await problemOf(clientOf(t, `http://localhost:${await freePort()}`).get('ALARMS', '/', bearer)), {
    status: 503,
    id: 'upstream_unreachable'
  })
  upstream.answer = cases[0]?.[1] ?? json({})
  t.equal((await problemOf(get())).options.code, 'malformed')
})

t.test('refuses an answer just above a limit', async (t) => {
  const objects = (count: number) => `[${Array(count).fill('{}').join()}]`
  const text = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`
  const cases: [name: string, atLimit: string, aboveLimit: string][] = [
    ['bytes', text(2 * 2 ** 20), text(2 * 2 ** 20 + 1)],
    ['levels', '['.repeat(32) + ']'.repeat(32), '['.repeat(33) + ']'.repeat(33)],
    // Counts the array, the objects and the commas between them.
    ['values', objects(25_000), objects(25_001)]
  ]
  for (const [name, atLimit, aboveLimit] of cases) {
    upstream.answer = (_request, response) => response.end(atLimit)
    t.equal(JSON.stringify(await get()), atLimit, name)
    upstream.answer = (_request, response) => response.end(aboveLimit)
    t.match(await problemOf(get()), { status: 502, id: 'upstream_too_large' }, name)
  }
})

t.test('stops reading an endless answer', async (t) => {
  let sentBytes = 0
  upstream.answer = (_request, response) => {
    const chunk = Buffer.alloc(2 ** 20, 'x')
    const sendChunk = () => {
      sentBytes += chunk.length
      if (!response.destroyed) response.write(chunk, sendChunk)
    }
    sendChunk()
  }
  t.match(await problemOf(get()), { status: 502, id: 'upstream_too_large' })
  t.ok(sentBytes < 16 * 2 ** 20, `${sentBytes / 2 ** 20} MiB`)
})

t.test('parses one large answer per turn of the event loop', async (t) => {
  const pending: ServerResponse[] = []
  upstream.answer = (_request, response) => void pending.push(response)
  let turn = 0
  const count = () => {
    turn += 1
    immediate = setImmediate(count)
  }
  let immediate = setImmediate(count)
  t.teardown(() => clearImmediate(immediate))
  const turns = Array.from({ length: 8 }, () => get().then(() => turn))
  await eventually(() => pending.length === turns.length)
  for (const response of pending) response.end(`"${'x'.repeat(20_000)}"`)
  t.equal(new Set(await Promise.all(turns)).size, turns.length)
})

t.test('accepts gzip only for long bodies', async (t) => {
  const acceptEncoding = () => upstream.received.at(-1)?.headers.find(([name]) => name === 'accept-encoding')
  const body = Buffer.from('{"fine":true}')
  const encode =
    (coding: string, bytes: Buffer, status = 200): Behaviour =>
    (_request, response) =>
      response.writeHead(status, { 'content-encoding': coding }).end(bytes)
  const getLong = () => client.getBody('MANAGEMENT', '/x', bearer)
  const cases: [name: string, call: () => Promise<unknown>, behaviour: Behaviour][] = [
    ['a coding for a short body', get, encode('gzip', gzipSync(body))],
    ['an unrequested coding', getLong, encode('br', brotliCompressSync(body))],
    ['two codings', getLong, encode('gzip, gzip', gzipSync(gzipSync(body)))]
  ]
  for (const [name, call, behaviour] of cases) {
    upstream.answer = behaviour
    t.match(await problemOf(call()), { status: 502, id: 'upstream_garbled' }, name)
  }
  upstream.answer = encode('gzip', gzipSync('{"errors":[{"code":"malformed"}]}'), 400)
  t.equal((await problemOf(getLong())).options.code, 'malformed', 'reads the error code from a gzip body')

  upstream.answer = encode('GZIP', gzipSync(body))
  const { pieces, isGzip } = await getLong()
  t.strictSame(acceptEncoding(), ['accept-encoding', 'gzip'])
  t.equal(isGzip, true)
  t.strictSame(Buffer.concat(pieces.map((piece) => Buffer.from(piece))), gzipSync(body))
  upstream.answer = encode('identity', body)
  t.match(await getLong(), { isGzip: false })
  await get()
  t.equal(acceptEncoding(), undefined)
})

t.test('returns the answer of a successful retry', async (t) => {
  upstream.answer = (request, response) =>
    upstream.received.length < 3 ? request.socket.resetAndDestroy() : json({ late: true })(request, response)
  t.strictSame(await get(), { late: true })
})

t.test('replaces a refused token once', async (t) => {
  const refuse =
    (...tokens: string[]): Behaviour =>
    (request, response) =>
      json({}, tokens.includes(request.headers.authorization ?? '') ? 401 : 200)(request, response)
  upstream.answer = refuse('Bearer token-1')
  const bearerA = bearerOf(['token-1', 'token-2'])
  t.strictSame(await client.get('ALARMS', '/', bearerA), {})
  t.strictSame(bearerA.refused, ['token-1'])
  t.equal(upstream.received.length, 2)

  upstream.received.length = 0
  upstream.answer = refuse('Bearer token-1', 'Bearer token-2')
  const bearerB = bearerOf(['token-1', 'token-2'])
  t.match(await problemOf(client.get('ALARMS', '/', bearerB)), { status: 502, id: 'upstream_unauthorized' })
  t.equal(upstream.received.length, 2)

  upstream.received.length = 0
  const bearerC = bearerOf(['token-1'])
  t.match(await problemOf(client.get('ALARMS', '/', bearerC)), { status: 502 }, 'without another token')
  t.equal(upstream.received.length, 1)
})

t.test('cancels the call when the caller aborts', async (t) => {
  upstream.answer = () => {}
  upstream.aborted = 0
  const aborter = new AbortController()
  const call = problemOf(get('/', aborter.signal))
  await eventually(() => upstream.received.length === 1)
  aborter.abort()
  t.match(await call, { status: 499, id: 'client_gone' })
  await eventually(() => upstream.aborted === 1)
})
