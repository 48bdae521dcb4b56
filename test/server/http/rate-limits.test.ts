import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import t from 'tap'
import { handleError } from '#server/errors.ts'
import { callerLimits, type Identity } from '#server/http/rate-limits.ts'

type App = ReturnType<typeof Fastify>

const LIMITS = {
  anonymousPerMinute: 300,
  perMinute: { session: 4, bearer: 3 },
  inFlight: 2,
  bodyBytesPerMinute: 10
}

async function gateway(register: (app: App) => Promise<unknown>) {
  const app = Fastify({ trustProxy: '127.0.0.1' })
  app.setErrorHandler(handleError)
  await register(app)
  const config = (id: string) => ({ config: { id, access: 'public' as const } })
  app.get('/auth/login', config('auth.login'), async () => 'begun')
  app.get('/auth/session', config('auth.session'), async () => 'answered')
  app.get('/api', config('portal.tree'), async () => 'answered')
  const costly = { id: 'portal.report-data', access: 'public' as const, callsPerMinute: 1 }
  app.get('/api/costly', { config: costly }, async () => 'answered')
  const statuses = async (count: number, url: string, headers = {}) => {
    const answers = []
    for (let call = 0; call < count; call += 1) answers.push(await app.inject({ url, headers }))
    return answers.map(({ statusCode }) => statusCode)
  }
  return { app, statuses }
}

async function limit(limits = LIMITS) {
  let pendingAnswers: (() => void)[] = []
  const server = await gateway(async (app) => {
    await app.register(callerLimits, limits)
    app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
      const [kind = '', id = '', subject] = String(request.headers['x-test-caller']).split(' ')
      await app.admit(request, reply, { kind, id, ...(subject ? { subject } : {}) } as Identity)
    })
    app.get('/api/slow', async () => new Promise((resolve) => pendingAnswers.push(() => resolve('answered'))))
  })
  return {
    ...server,
    waiting: () => pendingAnswers.length,
    answerAll() {
      for (const answer of pendingAnswers) answer()
      pendingAnswers = []
    }
  }
}
const by = (caller: string) => ({ 'x-test-caller': caller })
const repeated = (status: number, count: number) => Array<number>(count).fill(status)

t.test('limits the calls per minute of each service and each person', async (t) => {
  const { app, statuses } = await limit()
  t.strictSame(await statuses(5, '/api', by('bearer reporting')), [200, 200, 200, 429, 429])
  t.strictSame(await statuses(6, '/api', by('session u-1')), [200, 200, 200, 200, 429, 429])
  t.strictSame(
    await statuses(3, '/api', by('bearer billing')),
    repeated(200, 3),
    'does not limit another service'
  )
  t.strictSame(
    await statuses(4, '/api', by('session u-2')),
    repeated(200, 4),
    'does not limit another person'
  )
  t.strictSame(
    await statuses(3, '/api', by('bearer u-1')),
    repeated(200, 3),
    'a service with the id of a person'
  )
  const refusal = await app.inject({ url: '/api', headers: by('bearer reporting') })
  t.match(refusal.headers['content-type'], 'application/problem+json')
  t.match(refusal.json(), { status: 429, type: 'urn:portal:problem:too_many_calls', title: 'Too many calls' })
  const seconds = Number(refusal.headers['retry-after'])
  t.ok(seconds > 0 && seconds <= 60, `${seconds} s`)
})

/** The headers of an answer about quotas. The seconds until a quota returns are checked and replaced by `t=…`. */
async function quotasOf({ app }: { app: App }, url: string, caller: string) {
  const { headers } = await app.inject({ url, headers: by(caller) })
  const { 'ratelimit-policy': policy, ratelimit } = headers
  const left = ratelimit?.toString().replace(/t=(\d+)/g, (_: string, seconds: string) => {
    t.ok(Number(seconds) >= 1 && Number(seconds) <= 60, `${seconds} s`)
    return 't=…'
  })
  return { policy, left }
}

t.test('tells a service how many calls are left, also when it is refused', async (t) => {
  const server = await limit()
  const policy = '"default";q=3;w=60'
  for (const left of [2, 1, 0, 0])
    t.strictSame(await quotasOf(server, '/api', 'bearer reporting'), {
      policy,
      left: `"default";r=${left};t=…`
    })
  const { headers } = await server.app.inject({ url: '/api', headers: by('bearer reporting') })
  t.match(headers.ratelimit, `t=${headers['retry-after']}`, 'the quota returns after Retry-After')
})

t.test('tells a service the quota of a route beside that of all calls', async (t) => {
  const server = await limit()
  const policy = '"default";q=3;w=60, "route";q=1;w=60'
  for (const left of [2, 1])
    t.strictSame(await quotasOf(server, '/api/costly', 'bearer reporting'), {
      policy,
      left: `"default";r=${left};t=…, "route";r=0;t=…`
    })
  t.match(await quotasOf(server, '/api', 'bearer reporting'), { left: '"default";r=0;t=…' })
})

t.test('sends a person no headers about quotas', async (t) => {
  const server = await limit()
  t.strictSame(await quotasOf(server, '/api/costly', 'session u-1'), { policy: undefined, left: undefined })
})

t.test('limits the calls per minute of all users of a service together', async (t) => {
  const { statuses } = await limit()
  t.strictSame(await statuses(2, '/api', by('bearer app u-1')), repeated(200, 2))
  t.strictSame(await statuses(2, '/api', by('bearer app u-2')), [200, 429])
})

t.test('refuses concurrent calls past the limit until another call ends', async (t) => {
  const { app, waiting, answerAll } = await limit({ ...LIMITS, perMinute: { session: 100, bearer: 100 } })
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())
  const url = app.listeningOrigin
  const call = (path: string, caller: string, signal?: AbortSignal) =>
    fetch(url + path, { headers: by(caller), ...(signal ? { signal } : {}) })

  const aborter = new AbortController()
  const [first, second] = [call('/api/slow', 'session u-1'), call('/api/slow', 'session u-1', aborter.signal)]
  while (waiting() < 2) await new Promise(setImmediate)
  const third = await call('/api', 'session u-1')
  t.equal(third.status, 429)
  t.equal(third.headers.get('retry-after'), '1')
  t.match(await third.json(), { type: 'urn:portal:problem:too_many_calls' })
  t.equal((await call('/api', 'session u-2')).status, 200)
  t.equal((await call('/api', 'bearer u-1')).status, 200)

  aborter.abort()
  await t.rejects(second)
  while ((await call('/api', 'session u-1')).status === 429) await new Promise(setImmediate)

  answerAll()
  t.equal((await first).status, 200)
  const [fourth, fifth] = [call('/api/slow', 'session u-1'), call('/api/slow', 'session u-1')]
  while (waiting() < 2) await new Promise(setImmediate)
  answerAll()
  t.strictSame([(await fourth).status, (await fifth).status], [200, 200])
})

t.test('counts concurrent calls of a service’s users separately', async (t) => {
  const perMinute = { session: 100, bearer: 100 }
  const { app, waiting, answerAll } = await limit({ ...LIMITS, perMinute, inFlight: 1 })
  const calls = ['bearer app u-1', 'bearer app u-2', 'bearer app'].map((caller) =>
    app.inject({ url: '/api/slow', headers: by(caller) })
  )
  while (waiting() < 3) await new Promise(setImmediate)
  const refusal = await app.inject({ url: '/api', headers: by('bearer app u-1') })
  t.equal(refusal.statusCode, 429)
  answerAll()
  for (const call of calls) t.equal((await call).statusCode, 200)
})

async function anonymousGateway() {
  const { statuses } = await gateway(async (app) => {
    await app.register(callerLimits, LIMITS)
    app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply) =>
      app.admit(request, reply, null)
    )
  })
  return (count: number, url: string, address: string) => statuses(count, url, { 'x-forwarded-for': address })
}

t.test('limits anonymous calls to 300 a minute per address and route', async (t) => {
  const call = await anonymousGateway()
  t.strictSame(await call(302, '/auth/login', '198.51.100.7'), [...repeated(200, 300), 429, 429])
  t.strictSame(await call(1, '/auth/session', '198.51.100.7'), [200], 'does not limit another route')
  t.strictSame(await call(1, '/auth/login', '198.51.100.8'), [200], 'does not limit another address')
})

t.test('counts an IPv6 /64 network as one address', async (t) => {
  const call = await anonymousGateway()
  for (let host = 1; host <= 300; host += 1)
    t.strictSame(await call(1, '/auth/login', `2001:db8:0:1::${host.toString(16)}`), [200])
  t.strictSame(await call(1, '/auth/login', '2001:db8:0:1:ffff:ffff:ffff:ffff'), [429], 'the last address')
  t.strictSame(await call(1, '/auth/login', '2001:db8:0:2::1'), [200], 'the next network')
  t.strictSame(await call(301, '/auth/login', '198.51.100.7'), [...repeated(200, 300), 429])
  t.strictSame(await call(1, '/auth/login', '::ffff:198.51.100.7'), [429], 'IPv4 written as IPv6')
})
