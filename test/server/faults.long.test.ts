// A thousand faults of every kind in an order that a seed decides: the process lives, holds no more memory than before,
// leaves no rejection unhandled, and answers correctly afterwards. FAULTS_SEED repeats a run.
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { randomFrom } from '#test/sandbox/seed/random.ts'
import { freePort } from '#test/support/portal.ts'
import {
  type Answer,
  type FakeAuthority,
  json,
  random,
  startFakeAuthority
} from '../support/fake-authority.ts'
import { startGatewayProcess } from '../support/gateway-process.ts'
import { heldBytes, inspectable } from '../support/inspector.ts'
import { eventually, startRedis } from '../support/redis-server.ts'
import { reset } from '../support/reset.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

t.setTimeout(600_000)

const SEED = Number(process.env.FAULTS_SEED ?? 14)
const FAULTS = 1000
const WARM_UP = 200
/** Faults under way at a time. */
const LANES = 8
const MEMORY_RATIO_MAX = 1.2
const RECOVERED_WITHIN_MS = 60_000
const LARGE_BYTES = 1024 * 1024

const ME = '/api/v2/management/myUser'
/** Commands whose answers get lost: those of a connection, of signing in and out, and of the rest. */
const CONNECTING = ['hello', 'client', 'info', 'subscribe']
const SIGNING_IN = ['set', 'getdel', 'exec', 'get', 'zrange']
const REDIS_COMMANDS = [...CONNECTING, ...SIGNING_IN, 'hmget', 'exists', 'eval', 'ping', 'role']

const fake = await startFakeAuthority(t)
const redis = await startRedis(t, fake.confided)
const wire = await startTcpProxy(t, Number(new URL(redis.url).port))
const [metricsPort, inspectorPort] = [await freePort(), await freePort()]
const gateway = await startGatewayProcess(t, {
  ...fake.env,
  ...inspectable(inspectorPort),
  NODE_ENV: 'production',
  METRICS_PORT: `${metricsPort}`,
  // Each sign-in comes from an address of its own, below the rate limit.
  TRUST_PROXY: '127.0.0.1,::1',
  REDIS_URL: `redis://127.0.0.1:${wire.port}`,
  SESSION_SECRETS: 'a-secret-of-at-least-thirty-two-characters'
})

/** What the log says of a mistake in the code. */
const UNEXPECTED = /nobody handles|nothing catches|unexpected failure/

/** How an answer ends that does not arrive as it should. */
const ENDINGS: Record<string, Answer> = {
  'reset before the answer': (request) => reset(request.socket),
  'closed before the answer': (request) => request.socket.destroy(),
  'reset after the head': (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.flushHeaders()
    reset(request.socket)
  },
  'reset within the body': (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(`{"id":"${'x'.repeat(70_000)}`, () => reset(request.socket))
  },
  'a body shorter than told': (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{}', () => request.socket.destroy())
  },
  'no JSON': (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
  'no HTTP': (request) => request.socket.end('x'.repeat(1000)),
  'a server error': (_request, response) => json(response, 503, {})
}

/** The endings that await the next calls of each side. */
const awaiting: Record<'provider' | 'upstream', Answer[]> = { provider: [], upstream: [] }
const orFault =
  (side: keyof typeof awaiting, well: Answer): Answer =>
  (request, response, form) =>
    (awaiting[side].shift() ?? well)(request, response, form)

/** The API knows everybody by the name that the token says; notifications are long. */
const api: Answer = (request, response) => {
  const [, claims = ''] = (request.headers.authorization ?? '').split('.')
  const { sub } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}')
  const filler = request.url?.includes('/notifications/') ? 'x'.repeat(LARGE_BYTES) : ''
  json(response, 200, { id: sub, fullName: 'Somebody', userType: 'INTERNAL', roleAssignments: [], filler })
}

function answerWith({ lies }: FakeAuthority, faulty: boolean): void {
  const { token, keys, revoke } = fake.honest
  lies.instead = faulty
    ? {
        api: orFault('upstream', api),
        token: orFault('provider', token),
        keys: orFault('provider', keys),
        revoke: orFault('provider', revoke)
      }
    : { api }
  for (const side of Object.values(awaiting)) side.length = 0
}

const address = () => `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 256)).join('.')}`
const call = (path: string, init: RequestInit = {}) =>
  fetch(gateway.url + path, {
    redirect: 'manual',
    ...init,
    headers: {
      'x-portal-csrf': '1',
      origin: gateway.url,
      'x-forwarded-for': address(),
      ...(init.headers as Record<string, string>)
    }
  })

interface Person {
  subject: string
  cookie: string
}

async function signIn(subject: string): Promise<Person> {
  const begun = await call('/auth/login')
  const query = fake.authorize(begun.headers.get('location') ?? '', subject)
  const [attempt = ''] = begun.headers.getSetCookie().map((line) => line.split(';')[0])
  const finished = await call(`/callback?${query}`, { headers: { cookie: attempt ?? '' } })
  const cookie = finished.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .find((line) => /^portal=./.test(line))
  if (cookie === undefined) throw new Error(`signing in led to ${finished.headers.get('location')}`)
  return { subject, cookie }
}

const as = ({ cookie }: Person, path: string, init: RequestInit = {}) =>
  call(path, { ...init, headers: { cookie, ...(init.headers as Record<string, string>) } })

/** Answers about another person than the caller. */
const mixedUp: string[] = []
async function whoAmI(person: Person): Promise<number> {
  const answer = await as(person, ME)
  const text = await answer.text()
  if (answer.status === 200 && JSON.parse(text).id !== person.subject) mixedUp.push(text.slice(0, 200))
  return answer.status
}

/** Sends bytes and goes: at once, or with the first bytes of the answer. The status, where one came. */
function sendAndGo(bytes: string, goes: 'at once' | 'with the answer'): Promise<number> {
  return new Promise((resolve) => {
    let status = 0
    const socket = connect(gateway.port, 'localhost', () =>
      socket.write(bytes, () => {
        if (goes === 'at once') reset(socket)
      })
    )
    socket.on('data', (chunk) => {
      status ||= Number(chunk.toString('latin1', 9, 12))
      if (goes === 'with the answer') reset(socket)
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(status))
  })
}

const head = (method: string, path: string, headers: Record<string, string> = {}) =>
  [
    `${method} ${path} HTTP/1.1`,
    `host: localhost:${gateway.port}`,
    'x-portal-csrf: 1',
    `origin: ${gateway.url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n'
  ].join('\r\n')

const notifications = ({ subject }: Person) => `/api/v1/notifications/users/${subject}`
const JSON_TYPE = { 'content-type': 'application/json' }

type Fault = (person: Person, choose: <T>(from: readonly T[]) => T) => Promise<unknown>

/** Relative frequency of each kind: while Redis is away, calls meet no other fault. */
const SHARES: Record<string, number> = { 'a lost answer of Redis': 3, 'a reset of Redis': 1 }
const SHARE_OF_OTHERS = 12

/** Each is one fault and a call that meets it; the call may fail. */
const KINDS: Record<string, Fault> = {
  async 'a lost answer of Redis'(person, choose) {
    const command = choose(REDIS_COMMANDS)
    wire.loseAnswerTo(command)
    if (CONNECTING.includes(command)) wire.reset()
    if (SIGNING_IN.includes(command)) await signInAndOut(random()).catch(() => {})
    else if (command === 'ping' || command === 'role')
      await (await fetch(`http://localhost:${metricsPort}/readyz`)).text()
    else await (await as(person, '/auth/session/renew', { method: 'POST' })).text()
    await recovered([person])
  },
  async 'a reset of Redis'(person) {
    const calls = [whoAmI(person), as(person, '/auth/session').then((a) => a.text())]
    wire.reset()
    await Promise.allSettled(calls)
    await recovered([person])
  },
  async 'a provider that fails'(_person, choose) {
    awaiting.provider.push(choose(Object.values(ENDINGS)))
    const unknownKey = { header: { kid: random() } }
    return choose([() => signInAndOut(random()), () => bearer(fake.accessToken({}, unknownKey))])()
  },
  async 'an upstream that fails'(person, choose) {
    awaiting.upstream.push(choose(Object.values(ENDINGS)))
    return choose([
      () => whoAmI(person),
      () => as(person, '/api/portal/v1/bootstrap').then((a) => a.text()),
      () =>
        as(person, notifications(person), { method: 'PUT', body: '[]', headers: JSON_TYPE }).then((a) =>
          a.text()
        ),
      () => as(person, notifications(person)).then((a) => a.text()),
      () => bearer(fake.accessToken({ sub: random() }))
    ])()
  },
  'a caller that goes': (person, choose) => {
    const { cookie } = person
    const length = { ...JSON_TYPE, 'content-length': '100000' }
    const bytes = choose([
      () => head('GET', ME, { cookie }),
      () => head('GET', notifications(person), { cookie }),
      () => head('GET', '/auth/login'),
      () => head('GET', ME, { cookie }).slice(0, 60),
      () => `${head('PUT', notifications(person), { cookie, ...length })}["half a body`
    ])()
    const whole = bytes.startsWith('GET') && bytes.endsWith('\r\n\r\n')
    return sendAndGo(bytes, whole ? choose(['at once', 'with the answer'] as const) : 'at once')
  }
}

async function signInAndOut(subject: string): Promise<void> {
  const person = await signIn(subject)
  await whoAmI(person)
  await (await as(person, '/auth/logout/everywhere', { method: 'POST' })).text()
}

async function bearer(token: string): Promise<number> {
  const answer = await call(ME, { headers: { authorization: `Bearer ${token}` } })
  await answer.arrayBuffer()
  return answer.status
}

const met = new Map<string, number>()

async function meet(count: number, seed: number, people: readonly Person[]): Promise<void> {
  answerWith(fake, true)
  const { pick: choose } = randomFrom(seed)
  const names = Object.keys(KINDS).flatMap((name) => Array(SHARES[name] ?? SHARE_OF_OTHERS).fill(name))
  const faults = Array.from({ length: count }, () => choose<string>(names)).values()
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (const name of faults) {
        met.set(name, (met.get(name) ?? 0) + 1)
        await KINDS[name]?.(choose(people), choose).catch(() => {})
      }
    })
  )
  answerWith(fake, false)
  wire.loseAnswerTo(null)
}

/** Until every call succeeds again. */
async function recovered(people: readonly Person[]): Promise<void> {
  await eventually(async () => {
    const service = bearer(fake.accessToken({ sub: random() }))
    return (await Promise.all([...people.map(whoAmI), service])).every((status) => status === 200)
  }, RECOVERED_WITHIN_MS)
}

/** Redis is reached through this process: while its event loop is blocked, the gateway answers 503. */
const patiently = (ask: () => Promise<number>): Promise<number> =>
  eventually(async () => {
    const status = await ask()
    return status === 503 ? null : status
  }, RECOVERED_WITHIN_MS)
const signedIn = (subject: string): Promise<Person> =>
  eventually(() => signIn(subject).catch(() => null), RECOVERED_WITHIN_MS)

async function everythingIsRight(t: Test, people: readonly Person[]): Promise<void> {
  const read = async (asked: Promise<Response>) => {
    const answer = await asked
    await answer.arrayBuffer()
    return answer.status
  }
  for (const person of people)
    for (const [path, init] of [
      ['/api/portal/v1/bootstrap', {}],
      ['/auth/session/renew', { method: 'POST' }],
      [notifications(person), { method: 'PUT', body: '[]', headers: JSON_TYPE }]
    ] as const)
      t.equal(await patiently(() => read(as(person, path, init))), 200, path)
  t.equal(await bearer(fake.accessToken({ exp: 1 })), 401)
  t.equal(await whoAmI({ subject: '', cookie: '' }), 401)
  const guest = await signedIn(random())
  t.equal(await patiently(() => read(as(guest, '/auth/logout', { method: 'POST' }))), 200)
  t.equal(await patiently(() => whoAmI(guest)), 401)
}

t.test(`${FAULTS} faults in one run, seed ${SEED}`, async (t) => {
  answerWith(fake, false)
  const people: Person[] = []
  while (people.length < LANES) people.push(await signedIn(`u-${people.length}`))
  await meet(WARM_UP, SEED + 1, people)
  await recovered(people)
  const before = await heldBytes(inspectorPort)
  met.clear()

  await meet(FAULTS, SEED, people)
  await recovered(people)
  t.equal(gateway.child.exitCode, null, 'the process lives')
  t.equal(
    [...met.values()].reduce((sum, count) => sum + count, 0),
    FAULTS
  )
  t.equal(met.size, Object.keys(KINDS).length, JSON.stringify([...met]))
  t.ok(wire.lost() > 20, `${wire.lost()} answers of Redis got lost`)
  await everythingIsRight(t, people)
  t.strictSame(mixedUp, [], 'no answer was about another person')

  const figures = await (await fetch(`http://localhost:${metricsPort}/metrics`)).text()
  t.match(figures, /^gateway_unhandled_rejections_total 0$/m, 'nothing was left unhandled')
  const unexpected = gateway
    .said()
    .split('\n')
    .filter((line) => UNEXPECTED.test(line))
  t.strictSame(unexpected, [], 'nor was anything unexpected')
  // Calls of callers who went, and one-minute caches, are freed later.
  let ratio = 0
  const isLetGo = async () => {
    ratio = (await heldBytes(inspectorPort)) / before
    return ratio <= MEMORY_RATIO_MAX
  }
  const small = await eventually(isLetGo, 2 * RECOVERED_WITHIN_MS).catch(() => false)
  t.ok(small, `memory after is ${ratio.toFixed(2)} of ${Math.round(before / 2 ** 20)} MiB`)
  t.comment(`${wire.lost()} answers of Redis got lost; memory after is ${ratio.toFixed(2)}`)
})
