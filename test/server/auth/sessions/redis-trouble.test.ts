// While Redis hangs or is away, calls that need a session get 503 at once and keep the cookie; later they succeed again.
import { type AddressInfo, createServer } from 'node:net'
import { Redis } from 'ioredis'
import pino from 'pino'
import t from 'tap'
import { createRedisBackend } from '#server/auth/sessions/redis.ts'
import { signInWith, startFakeAuthority } from '../../../support/fake-authority.ts'
import { eventually, startRedis } from '../../../support/redis-server.ts'
import {
  AT_ONCE_MS,
  BACK_WITHIN_MS,
  ME,
  NEED_SESSION,
  portalAt,
  timed,
  unavailable
} from '../../../support/store-trouble.ts'

const fake = await startFakeAuthority(t)
const redis = await startRedis(t)
const portal = await portalAt(t, fake, { REDIS_URL: redis.url })

t.test(
  'a Redis that hangs: 503 at once where a session is needed, and the same cookie works later',
  async (t) => {
    const cookie = await signInWith(fake, portal.url)
    redis.freeze()
    await Promise.all(
      NEED_SESSION.map(async ([method, path]) =>
        unavailable(t, `${method} ${path}`, await timed(portal, cookie, path, method))
      )
    )
    const without = await Promise.all(
      ['/auth/login', '/callback?code=x&state=y', '/api/nowhere', '/no-such-file.js'].map((path) =>
        timed(portal, '', path)
      )
    )
    t.strictSame(
      without.map(({ status }) => status),
      [302, 303, 404, 404],
      'calls without a session are answered'
    )
    const place = '/signin-failed?reason=unavailable&by=session-store'
    t.ok(without[0]?.headers.get('location')?.startsWith(place))
    for (const { ms } of without) t.ok(ms < AT_ONCE_MS)
    redis.thaw()
    await eventually(async () => (await timed(portal, cookie, ME)).status === 200, BACK_WITHIN_MS)
  }
)

t.test('a Redis that comes back empty: 401, and refused writes are not made later', async (t) => {
  const cookie = await signInWith(fake, portal.url)
  const backend = await redis.backend()
  await redis.kill()
  for (let call = 0; call < 3; call += 1) await t.rejects(backend.putOnce(`late-${call}`, 'x', 60_000))
  unavailable(t, 'a call', await timed(portal, cookie, ME))
  await redis.restart()
  await eventually(async () => (await timed(portal, cookie, ME)).status === 401, BACK_WITHIN_MS)
  const again = await signInWith(fake, portal.url)
  t.equal((await timed(portal, again, ME)).status, 200)
  const answers = () =>
    backend.ping().then(
      () => true,
      () => false
    )
  await eventually(answers, BACK_WITHIN_MS)
  t.strictSame(await redis.look.keys('*late*'), [])
})

t.test('logs once that Redis is away and once that it is back', async (t) => {
  const logged: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) })
  const backend = await redis.backend(log)
  await redis.kill()
  for (let call = 0; call < 5; call += 1) await t.rejects(backend.ping())
  await eventually(() => logged.length === 1)
  await redis.restart()
  await eventually(() => logged.length === 2, BACK_WITHIN_MS)
  t.strictSame(logged, ['Redis is away', 'Redis is back'])
})

t.test('an answer of the wrong shape ends no session', async (t) => {
  const answers = [
    '+OK',
    ':1',
    '*0',
    '*-1',
    '$5\r\nhello',
    `*6${'\r\n:1'.repeat(6)}`,
    `*6${'\r\n$-1'.repeat(5)}\r\n:1`,
    `*2${'\r\n$1\r\na'.repeat(2)}`
  ]
  let answer = ''
  const server = createServer((socket) =>
    socket.on('data', (chunk) => {
      for (const _command of String(chunk).matchAll(/\*\d+\r\n\$\d+\r\n\w+/g)) socket.write(`${answer}\r\n`)
    })
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = new Redis({ port, enableReadyCheck: false, disableClientInfo: true })
  t.teardown(() => {
    client.disconnect()
    server.close()
  })
  const backend = createRedisBackend(client)
  for (answer of answers) await t.rejects(backend.read('a key'), JSON.stringify(answer))
  answer = `*6${'\r\n$-1'.repeat(6)}`
  t.equal(await backend.read('a key'), null, 'six nulls are a missing session')
})
