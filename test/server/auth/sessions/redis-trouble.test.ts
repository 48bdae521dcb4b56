// While Redis hangs or is unreachable, calls that need a session get 503 at once and keep the cookie. Later calls succeed.
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
  checkUnavailable,
  ME,
  NEED_SESSION,
  portalAt,
  timed
} from '../../../support/store-trouble.ts'

const fake = await startFakeAuthority(t)
const redis = await startRedis(t)
const portal = await portalAt(t, fake, { REDIS_URL: redis.url })

t.test('answers 503 at once while Redis hangs, and accepts the cookie afterwards', async (t) => {
  const cookie = await signInWith(fake, portal.url)
  redis.freeze()
  await Promise.all(
    NEED_SESSION.map(async ([method, path]) =>
      checkUnavailable(t, `${method} ${path}`, await timed(portal, cookie, path, method))
    )
  )
  const statuses = {
    '/auth/login': 302,
    '/callback?code=x&state=y': 303,
    '/api/nowhere': 404,
    '/none.js': 404
  }
  for (const [path, status] of Object.entries(statuses)) {
    const answer = await timed(portal, '', path)
    t.equal(answer.status, status, `${path} without a session`)
    t.ok(answer.ms < AT_ONCE_MS)
    const location = '/signin-failed?reason=unavailable&by=session-store'
    if (status === 302) t.ok(answer.headers.get('location')?.startsWith(location))
  }
  redis.thaw()
  await eventually(async () => (await timed(portal, cookie, ME)).status === 200, BACK_WITHIN_MS)
})

t.test('a browser with a session is led to a page of the portal while Redis hangs', async (t) => {
  const cookie = await signInWith(fake, portal.url)
  redis.freeze()
  t.teardown(() => redis.thaw())
  const pages = { '/auth/login?returnTo=%2Freports': '/reports', '/callback?code=x&state=y': null }
  for (const [path, returnTo] of Object.entries(pages)) {
    const answer = await timed(portal, cookie, path)
    t.equal(answer.status, 303, path)
    t.ok(answer.ms < AT_ONCE_MS)
    const { pathname, searchParams } = new URL(answer.headers.get('location') ?? '', portal.url)
    t.equal(pathname, '/signin-failed', path)
    t.match(Object.fromEntries(searchParams), { reason: 'unavailable', by: 'session-store' })
    t.equal(searchParams.get('returnTo'), returnTo)
    t.strictSame(answer.headers.getSetCookie(), [], 'does not clear the cookie')
  }
  redis.thaw()
  await eventually(async () => (await timed(portal, cookie, ME)).status === 200, BACK_WITHIN_MS)
})

t.test('answers 401 after Redis has restarted empty, and does not repeat refused writes', async (t) => {
  const cookie = await signInWith(fake, portal.url)
  const backend = await redis.backend()
  await redis.kill()
  for (let call = 0; call < 3; call += 1) await t.rejects(backend.remember(`late-${call}`, 'x', 60_000))
  checkUnavailable(t, 'a call', await timed(portal, cookie, ME))
  await redis.restart()
  await eventually(async () => (await timed(portal, cookie, ME)).status === 401, BACK_WITHIN_MS)
  const newCookie = await signInWith(fake, portal.url)
  t.equal((await timed(portal, newCookie, ME)).status, 200)
  await eventually(
    () =>
      backend.recall('x').then(
        () => true,
        () => false
      ),
    BACK_WITHIN_MS
  )
  t.strictSame(await redis.client.keys('*late*'), [])
})

t.test('logs a lost connection to Redis once and the new connection once', async (t) => {
  const logged: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) })
  const backend = await redis.backend(log)
  await redis.kill()
  for (let call = 0; call < 5; call += 1) await t.rejects(backend.ping())
  await eventually(() => logged.length === 1)
  await redis.restart()
  await eventually(() => logged.length === 2, BACK_WITHIN_MS)
  t.strictSame(logged, ['lost the connection to Redis', 'connected to Redis again'])
})

t.test('a malformed answer of Redis does not count as a missing session', async (t) => {
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
  t.equal(await backend.read('a key'), null, 'a missing session')
})
