// The typed client follows a live stream through everything that passes, and gives up where no further attempt can help.
import { once } from 'node:events'
import { mock } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import t, { type Test as Tap } from 'tap'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { freePort } from '#test/support/portal.ts'
import { eventually } from '../../../support/eventually.ts'
import { productionAt, startGatewayProcess } from '../../../support/gateway-process.ts'
import { startRedis } from '../../../support/redis-server.ts'
import { openSandbox } from '../../../support/scenes/gateway.ts'
import { clientCredentials, createPortalClient, PortalProblem, type Reconnect } from './portal-client.ts'

t.setTimeout(200_000)

const ROLES = 'event: roles\ndata: {"tag":"a"}\n\n'
const endWith = (reason: string) => `event: end\ndata: {"reason":"${reason}"}\n\n`
const stream = (text: string) => new Response(text)
const refusal = (status: number, type = 'urn:portal:problem:unavailable', headers = {}) =>
  Response.json({ type, status, title: 'x' }, { status, headers })
const refused = () => new TypeError('fetch failed')

/** Follows a portal that gives these answers, and then ends the stream as if the service had stopped. */
async function follow(answers: (Response | Error)[], failuresMax?: number) {
  const stop = new AbortController()
  const waits: number[] = []
  const reconnects: Reconnect[] = []
  const events: string[] = []
  const client = createPortalClient({
    baseUrl: 'http://portal.example',
    token: async () => 'token',
    fetch: async () => {
      const answer = answers.shift()
      if (answer instanceof Response) return answer
      if (answer === undefined) stop.abort(new Error('the test is over'))
      throw answer ?? new Error('aborted')
    },
    wait: async (ms) => void waits.push(ms)
  })
  const options = {
    onReconnect: (reconnect: Reconnect) => void reconnects.push(reconnect),
    ...(failuresMax === undefined ? {} : { failuresMax })
  }
  const reading = async () => {
    for await (const { event } of client.events('portal.events', { signal: stop.signal }, options))
      events.push(event)
  }
  const error = await reading().catch((error: unknown) => error)
  return { error, events, waits, reconnects }
}

for (const status of [401, 403, 400, 404, 501])
  t.test(`a refusal with ${status} ends the stream for good`, async (t) => {
    const { error, waits } = await follow([refusal(status), stream(ROLES)])
    t.ok(error instanceof PortalProblem)
    t.match(error, { status })
    t.strictSame(waits, [])
  })

t.test('a proxy that refuses with 401 or 403 also ends it', async (t) => {
  const { error } = await follow([new Response('<html>', { status: 403 }), stream(ROLES)])
  t.match(error, { status: 403 })
})

t.test('a 404 of a proxy that knows no replica does not end it', async (t) => {
  const { events } = await follow([new Response('404 page not found', { status: 404 }), stream(ROLES)])
  t.strictSame(events, ['roles'])
})

t.test('goes on after a refused connection, a broken stream, 429, 502, 503 and 504', async (t) => {
  const passing = [
    refused(),
    stream('event: roles\ndata: {"ta'),
    refusal(429),
    new Response('', { status: 502 }),
    refusal(503),
    new Response('', { status: 504 })
  ]
  for (const answer of passing) {
    const { events, reconnects } = await follow([answer, stream(ROLES)])
    t.strictSame(events, ['roles'])
    t.equal(reconnects[0]?.failures, 1)
    t.ok(reconnects[0]?.error instanceof Error)
  }
})

t.test('goes on after each end that the portal names, also when the token has ended', async (t) => {
  for (const reason of ['rotation', 'roles', 'stopping', 'unavailable', 'session']) {
    const { events, waits, reconnects } = await follow([
      stream(`retry: 700\n\n${ROLES}${endWith(reason)}`),
      stream(ROLES)
    ])
    t.strictSame(events, ['roles', 'end', 'roles'])
    t.equal(waits[0], 700, 'waits for as long as the portal said')
    t.match(reconnects[0], { failures: 0, error: null, waitMs: 700 })
  }
})

t.test('reads events of several lines, comments, and lines that end with CR LF', async (t) => {
  const { events } = await follow([
    stream(
      'event: roles\ndata: {"tag":\ndata: "a"}\n\n: still here\n\nevent: end\r\ndata: {"reason":"rotation"}\r\n\r\n'
    )
  ])
  t.strictSame(events, ['roles', 'end'])
})

t.test('waits for at least as long as Retry-After says', async (t) => {
  const { waits } = await follow([refusal(503, undefined, { 'retry-after': '90' }), stream(ROLES)])
  t.equal(waits[0], 90_000)
})

t.test('an absurd Retry-After or retry does not stop the stream, nor start a storm', async (t) => {
  const { waits } = await follow([
    refusal(503, undefined, { 'retry-after': '99999999999' }),
    stream(`retry: 99999999999\n\n${ROLES}${endWith('rotation')}`),
    stream(`retry: soon\n\n${ROLES}${endWith('rotation')}`),
    stream(ROLES)
  ])
  t.equal(waits[0], 600_000)
  t.equal(waits[1], 600_000)
  t.equal(waits[2], 600_000, 'a time that is none changes nothing')
})

t.test('waits longer with each failure, up to 30 seconds, and starts again after an event', async (t) => {
  const failures = Array.from({ length: 8 }, refused)
  const { waits } = await follow([...failures, stream(ROLES), refused(), stream(ROLES)])
  for (const [index, ms] of [5_000, 10_000, 20_000, 30_000, 30_000, 30_000, 30_000, 30_000].entries()) {
    const waitMs = waits[index] ?? 0
    t.ok(waitMs >= ms / 2 && waitMs <= ms, `${waitMs} ms after failure ${index + 1}`)
  }
  t.ok((waits[8] ?? 0) <= 5_000, 'the stream that broke off after an event')
})

t.test('throws the last failure at the limit, not before', async (t) => {
  const two = await follow([refused(), refused(), stream(ROLES)], 3)
  t.strictSame(two.events, ['roles'])
  const three = await follow([refused(), refused(), refusal(503), stream(ROLES)], 3)
  t.match(three.error, { status: 503 })
  t.equal(three.reconnects.length, 2)
  const none = await follow([refused(), stream(ROLES)], 1)
  t.match(none.error, { message: 'fetch failed' })
})

t.test('an abort ends the stream at once, also during a wait', async (t) => {
  const stop = new AbortController()
  const client = createPortalClient({
    baseUrl: 'http://portal.example',
    token: async () => 'token',
    fetch: async () => {
      throw refused()
    }
  })
  const events = client.events(
    'portal.events',
    { signal: stop.signal },
    { onReconnect: () => queueMicrotask(() => stop.abort(new Error('stopped'))) }
  )
  await t.rejects(events.next(), { message: 'stopped' })
})

t.test(
  'a token endpoint that is away is tried again; one that refuses the client ends the stream',
  async (t) => {
    const answers = [
      refused(),
      new Response('busy', { status: 503 }),
      Response.json({ access_token: 'token', expires_in: 100 }),
      stream(ROLES)
    ]
    const fetch = async () => {
      const answer = answers.shift()
      if (answer instanceof Response) return answer
      throw answer ?? refused()
    }
    const token = clientCredentials({
      tokenUrl: 'http://login.example/token',
      clientId: 'a',
      clientSecret: 'b',
      scope: 'ncp:read',
      fetch
    })
    const client = createPortalClient({
      baseUrl: 'http://portal.example',
      token,
      fetch,
      wait: async () => {}
    })
    const { value } = await client.events('portal.events').next()
    t.match(value, { event: 'roles' })

    const refusing = clientCredentials({
      tokenUrl: 'http://login.example/token',
      clientId: 'a',
      clientSecret: 'wrong',
      scope: 'ncp:read',
      fetch: async () => Response.json({ error: 'invalid_client' }, { status: 401 })
    })
    const other = createPortalClient({
      baseUrl: 'http://portal.example',
      token: refusing,
      wait: async () => {}
    })
    await t.rejects(other.events('portal.events').next(), { status: 401, message: /invalid_client/ })
  }
)

/** A connection on which the portal sends this text, and nothing afterwards. */
const open = (text: string, signal: AbortSignal | null | undefined) =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text))
        signal?.addEventListener('abort', () => controller.error(signal.reason))
      }
    })
  )

/** A client whose timers the test moves, with connections that stay open. */
function quietPortal(t: Tap, ...texts: (string | null)[]) {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const reconnects: Reconnect[] = []
  const client = createPortalClient({
    baseUrl: 'http://portal.example',
    token: async () => 'token',
    fetch: async (_address, init) => {
      const text = texts.shift() ?? null
      // Without a text, not even the head of the answer arrives.
      if (text === null) return new Promise<Response>(() => {})
      return open(text, init?.signal)
    },
    wait: async () => {}
  })
  const events = client.events(
    'portal.events',
    {},
    { onReconnect: (reconnect) => void reconnects.push(reconnect) }
  )
  return { events, reconnects }
}

for (const [name, text] of [
  ['before its answer begins', null],
  ['after its first bytes', ':\nretry: 1\n\n']
] as const)
  t.test(`a connection that is silent for 60 s ${name} is opened again`, async (t) => {
    const { events, reconnects } = quietPortal(t, text, ROLES)
    const next = events.next()
    await setImmediate()
    mock.timers.tick(59_999)
    await setImmediate()
    t.strictSame(reconnects, [])
    mock.timers.tick(1)
    t.match(await next, { value: { event: 'roles' } })
    t.match(reconnects, [{ failures: 1, error: { message: /silent for 60000 ms/ } }])
  })

t.test('a service that takes its time with an event does not lose its connection', async (t) => {
  const { events, reconnects } = quietPortal(t, ROLES + ROLES)
  await events.next()
  mock.timers.tick(600_000)
  t.match(await events.next(), { value: { event: 'roles' } })
  t.strictSame(reconnects, [])
})

t.test('the stream goes on after a restart of the gateway', async (t) => {
  const sandbox = await openSandbox(t)
  const redis = await startRedis(t)
  const settings = {
    ...productionAt(sandbox, redis.url),
    OIDC_AUDIENCE: sandbox.audience,
    PORT: String(await freePort()),
    SHUTDOWN_DELAY_SECONDS: '0'
  }
  const gateway = await startGatewayProcess(t, settings)
  const token = clientCredentials({
    tokenUrl: `${sandbox.issuer}/token`,
    clientId: 'internal-service',
    clientSecret: 'sandbox',
    scope: 'ncp:read'
  })
  const client = createPortalClient({ baseUrl: gateway.url, token })
  const reconnects: Reconnect[] = []
  const events = client.events(
    'portal.events',
    { query: { customerId: NOTABLE.northwind } },
    { onReconnect: (reconnect) => void reconnects.push(reconnect) }
  )
  const nextOf = async (name: string) => {
    for (;;) {
      const { value, done } = await events.next()
      if (done) throw new Error('the stream ended')
      if (value.event === name) return value.data
    }
  }
  await nextOf('alarms')
  const exit = once(gateway.child, 'exit')
  gateway.child.kill('SIGTERM')
  t.match(await nextOf('end'), { reason: 'stopping' })
  await exit
  // The gateway is away: the next attempts are refused until it is back.
  const next = nextOf('alarms')
  await eventually(() => reconnects.some(({ failures }) => failures > 0))
  await startGatewayProcess(t, settings)
  t.match(await next, { customerId: NOTABLE.northwind })
  await events.return(undefined)
})
