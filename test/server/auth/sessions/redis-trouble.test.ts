import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { Redis } from 'ioredis'
import pino from 'pino'
import t, { type Test } from 'tap'
import { createRedisBackend } from '#server/auth/sessions/redis.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { Browser, type Portal, signIn, startPortal } from '#test/support/portal.ts'
import { eventually, type RedisServer, startRedis } from '../../../support/redis-server.ts'
import { createStopwatch } from '../../../support/stopwatch.ts'
import { AT_ONCE_MS, BACK_WITHIN_MS } from '../../../support/store-trouble.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const PROJECTS = `/api/portal/v1/customers/${NOTABLE.northwind}/projects`

if (!existsSync(`${ROOT}dist/client/index.html`))
  spawnSync('npx', ['vite', 'build', 'client', '--logLevel', 'warn'], { cwd: ROOT, stdio: 'inherit' })

const measure = createStopwatch()
const redis = await startRedis(t, () => portal.sandbox.confided())
const portal = await startPortal(t, { backend: await redis.backend() })

async function timed(call: () => Promise<Response>) {
  const taken = measure()
  const answer = await call()
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, ms: taken() }
}

/** What everybody sees while Redis is away. */
async function whileAway(t: Test, portal: Portal, browser: Browser) {
  const needSession = {
    data: () => browser.call(PROJECTS),
    bootstrap: () => browser.call('/api/portal/v1/bootstrap'),
    state: () => browser.call('/auth/session'),
    renewal: () => browser.call('/auth/session/renew', { method: 'POST' }),
    'sign-out': () => browser.call('/auth/logout', { method: 'POST' }),
    proxied: () => browser.call('/api/v2/management/myUser')
  }
  for (const [name, call] of Object.entries(needSession)) {
    const { status, headers, text, ms } = await timed(call)
    t.equal(status, 503, name)
    t.ok(ms < AT_ONCE_MS, `${name} at once (${Math.round(ms)} ms)`)
    t.match(headers.get('content-type'), 'application/problem+json')
    t.equal(headers.get('retry-after'), '1')
    t.strictSame(headers.getSetCookie(), [], `${name} keeps the cookie`)
    t.match(JSON.parse(text), {
      code: undefined,
      type: 'urn:portal:problem:session_store_unavailable',
      status: 503
    })
    t.notMatch(text, /ECONN|127\.0\.0\.1|timed out|ioredis|stack/i)
  }
  for (const [path, status] of [
    ['/', 200],
    ['/customers/some-screen', 200],
    ['/no-such-file.js', 404],
    ['/api/nowhere', 404],
    ['/api/portal/v1/nothing', 404]
  ] as const) {
    const answer = await timed(() => browser.call(path))
    t.equal(answer.status, status, `${path} is answered`)
    t.ok(answer.ms < AT_ONCE_MS)
  }
  const begun = await timed(() => new Browser(portal.url).call('/auth/login'))
  t.equal(begun.headers.get('location'), '/signin-failed?reason=unavailable')
  t.ok(begun.ms < AT_ONCE_MS, 'a sign-in fails at once too')
  const callback = await timed(() => new Browser(portal.url).call('/callback?code=x&state=y'))
  t.equal(callback.status, 303, 'a callback leads to a page')
}

async function backWithin(call: () => Promise<boolean>): Promise<number> {
  const begun = performance.now()
  await eventually(call, BACK_WITHIN_MS)
  return Math.round(performance.now() - begun)
}

t.test('a Redis that hangs', async (t) => {
  const browser = await portal.as('customer.admin')
  await browser.json(PROJECTS)
  redis.freeze()
  await whileAway(t, portal, browser)
  redis.thaw()
  const ms = await backWithin(async () => (await browser.call(PROJECTS)).ok)
  t.pass(`everything goes on as before after ${ms} ms, with the same cookie`)
})

t.test('a Redis that dies and comes back empty', async (t) => {
  const browser = await signIn(portal.url, portal.sandbox, 'customer.user')
  await redis.kill()
  await whileAway(t, portal, browser)
  await redis.restart()
  await backWithin(async () => (await browser.call(PROJECTS)).status === 401)
  t.pass('a lost session is 401')
  const again = await signIn(portal.url, portal.sandbox, 'customer.user')
  t.equal((await again.call(PROJECTS)).status, 200, 'and signing in works')
})

t.test('a Redis that refuses to write', async (t) => {
  const browser = await signIn(portal.url, portal.sandbox, 'customer.user')
  await full(redis)
  t.equal((await browser.call(PROJECTS)).status, 200, 'who is signed in reads on')
  const begun = await new Browser(portal.url).call('/auth/login')
  t.equal(begun.headers.get('location'), '/signin-failed?reason=unavailable')
  await redis.look.config('SET', 'maxmemory', '0')
  await signIn(portal.url, portal.sandbox, 'customer.user')
  t.pass('with room again, people sign in')
})

t.test('trouble is told in the log when it begins and when it ends, not with every call', async (t) => {
  const told: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void told.push(JSON.parse(line).msg) })
  const backend = await redis.backend(log)
  for (const round of [1, 2]) {
    await redis.kill()
    for (let call = 0; call < 5; call += 1) await t.rejects(backend.ping())
    await eventually(() => told.length === 2 * round - 1)
    await redis.restart()
    await eventually(() => told.length === 2 * round, BACK_WITHIN_MS)
    await t.resolves(backend.ping())
  }
  t.strictSame(told, ['Redis is away', 'Redis is back', 'Redis is away', 'Redis is back'])
})

t.test('a write that was refused is not carried out later', async (t) => {
  const backend = await redis.backend()
  await redis.kill()
  for (let call = 0; call < 3; call += 1) await t.rejects(backend.putOnce(`ghost-${call}`, 'x', 60_000))
  await redis.restart()
  await eventually(
    () =>
      backend.ping().then(
        () => true,
        () => false
      ),
    BACK_WITHIN_MS
  )
  t.strictSame(await redis.look.keys('*ghost*'), [])
})

t.test('a gateway does not start without its Redis', async (t) => {
  await redis.kill()
  await t.rejects(redis.backend(), /ECONNREFUSED/)
})

/** Every write is refused, reads go on. */
async function full(redis: RedisServer): Promise<void> {
  await redis.look.config('SET', 'maxmemory', '1')
}

t.test('what is no answer to the question ends no session', async (t) => {
  const answers = [
    '+OK',
    ':1',
    '*0',
    '*-1',
    '$5\r\nhello',
    `*5${'\r\n:1'.repeat(5)}`,
    `*2${'\r\n$1\r\na'.repeat(2)}`
  ]
  let answer = ''
  const server = createServer((socket) => socket.on('data', () => socket.write(`${answer}\r\n`)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = new Redis({ port, enableReadyCheck: false, disableClientInfo: true })
  t.teardown(() => {
    client.disconnect()
    server.close()
  })
  const backend = createRedisBackend(client)
  for (answer of answers) await t.rejects(backend.read('a key'), JSON.stringify(answer))
  answer = `*5${'\r\n$-1'.repeat(5)}`
  t.equal(await backend.read('a key'), null, 'one that is not there is not there')
})
