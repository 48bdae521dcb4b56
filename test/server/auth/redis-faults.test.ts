// Redis in trouble of every kind: whoever needs a session gets a 503 within a second and keeps the cookie, and goes on
// within two seconds after. What failed is not carried out later. A failover is no more than a moment of that.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import pino from 'pino'
import t, { type Test } from 'tap'
import { createRedisBackend } from '#server/auth/redis-backend.ts'
import { readConfig } from '#server/config.ts'
import { connectRedis } from '#server/plugins/redis.ts'
import { freePort, type Portal, startPortal } from '#test/helper.ts'
import { eventually, startRedis } from '../redis-server.ts'
import { startTcpProxy } from '../tcp-proxy.ts'
import { callWith, signInWith, startFakeAuthority } from './fake-authority.ts'

const ME = '/api/v2/management/myUser'
const AT_ONCE_MS = 1000
const BACK_WITHIN_MS = 2000

const fake = await startFakeAuthority(t)

/** A portal whose sessions live where the settings say. */
async function portalWith(t: Test, env: Record<string, string>, sandboxOf?: Portal): Promise<Portal> {
  const config = readConfig({ ...fake.env, ...env })
  const redis = await connectRedis(config, pino({ level: 'silent' }))
  if (redis === null) throw new Error('the gateway opened no Redis')
  const backend = createRedisBackend(redis)
  t.teardown(() => backend.close())
  return startPortal(t, {
    env: { ...fake.env, ...env },
    backend,
    secrets: [randomBytes(32).toString('base64')],
    ...(sandboxOf ? { startedSandbox: sandboxOf.sandbox } : {})
  })
}

interface Answered {
  status: number
  ms: number
  headers: Headers
  text: string
}

async function timed(portal: Portal, cookie: string, path: string, method = 'GET'): Promise<Answered> {
  const begun = performance.now()
  const answer = await callWith(cookie, portal.url, path, { method })
  const text = await answer.text()
  return { status: answer.status, ms: performance.now() - begun, headers: answer.headers, text }
}

/** A 503 of the store, in time, that takes no cookie away. */
function unavailable(t: Test, name: string, { status, ms, headers, text }: Answered): void {
  t.equal(status, 503, `${name}: ${text}`)
  t.ok(ms < AT_ONCE_MS, `within a second (${Math.round(ms)} ms)`)
  t.match(headers.get('content-type'), 'application/problem+json')
  t.ok(headers.get('retry-after'))
  t.strictSame(headers.getSetCookie(), [], 'the cookie is kept')
  t.notMatch(text, /ECONN|127\.0\.0\.1|READONLY|ioredis|timed out/i)
}

const NEEDING: [method: string, path: string][] = [
  ['GET', ME],
  ['GET', '/api/portal/v1/bootstrap'],
  ['GET', '/auth/session'],
  ['POST', '/auth/session/renew'],
  ['POST', '/auth/logout']
]

const redis = await startRedis(t)
const wire = await startTcpProxy(t, Number(new URL(redis.url).port))
const portal = await portalWith(t, { REDIS_URL: `redis://127.0.0.1:${wire.port}` })

/** The sessions as they are stored. */
async function stored(): Promise<string> {
  const keys = (await redis.look.keys('portal:*:session')).sort()
  const held = await Promise.all(keys.map((key) => redis.look.hgetall(key)))
  return JSON.stringify(held.map((fields, index) => [keys[index], Object.entries(fields).sort()]))
}

const FAULTS: Record<string, { begin: () => unknown; end: () => unknown }> = {
  'refuses connections': { begin: () => wire.refuse(), end: () => wire.accept() },
  'swallows everything': { begin: () => wire.hold(), end: () => wire.letGo() },
  'has stopped': { begin: () => redis.freeze(), end: () => redis.thaw() },
  'ends every connection': (() => {
    let timer: NodeJS.Timeout
    return {
      begin() {
        wire.reset()
        timer = setInterval(() => wire.reset(), 1)
      },
      end: () => clearInterval(timer)
    }
  })(),
  'answers after a second': {
    begin: () => {
      wire.delayMs = 1000
    },
    end: () => {
      wire.delayMs = 0
      wire.reset()
    }
  }
}

for (const [name, { begin, end }] of Object.entries(FAULTS)) {
  t.test(`a Redis that ${name}`, async (t) => {
    const cookie = await signInWith(fake, portal.url)
    const before = await stored()
    await begin()
    for (const [method, path] of NEEDING)
      unavailable(t, `${method} ${path}`, await timed(portal, cookie, path, method))
    const burst = await Promise.all(Array.from({ length: 50 }, () => timed(portal, cookie, ME)))
    t.strictSame([...new Set(burst.map(({ status }) => status))], [503], 'fifty at once too')
    const without = await timed(portal, '', '/api/nowhere')
    t.equal(without.status, 404, 'who needs no session is answered as ever')
    await end()
    const back = performance.now()
    await eventually(async () => (await timed(portal, cookie, ME)).status === 200, BACK_WITHIN_MS)
    t.pass(`back after ${Math.round(performance.now() - back)} ms, with the same cookie`)
    t.equal(await stored(), before, 'and nothing that failed has been carried out later')
  })
}

t.test('a Redis that is a little slow is waited for', async (t) => {
  const cookie = await signInWith(fake, portal.url)
  wire.delayMs = 60
  t.equal((await timed(portal, cookie, ME)).status, 200)
  t.equal((await timed(portal, cookie, '/auth/session/renew', 'POST')).status, 200)
  wire.delayMs = 0
})

const READ_ONLY: Record<string, { begin: () => Promise<unknown>; end: () => Promise<unknown> }> = {
  'has become a replica': {
    begin: () => redis.look.replicaof('127.0.0.1', 1),
    end: () => redis.look.replicaof('NO', 'ONE')
  },
  'misses its replicas': {
    begin: () => redis.look.config('SET', 'min-replicas-to-write', 1),
    end: () => redis.look.config('SET', 'min-replicas-to-write', 0)
  }
}

for (const [name, { begin, end }] of Object.entries(READ_ONLY)) {
  t.test(`a Redis that ${name} is read from, and what must be written is a 503`, async (t) => {
    const cookie = await signInWith(fake, portal.url)
    const before = await stored()
    await begin()
    t.equal((await timed(portal, cookie, '/auth/session')).status, 200, 'who is signed in stays so')
    unavailable(t, 'renewing', await timed(portal, cookie, '/auth/session/renew', 'POST'))
    await eventually(async () => (await timed(portal, cookie, ME)).status === 200, BACK_WITHIN_MS)
    unavailable(t, 'signing out', await timed(portal, cookie, '/auth/logout', 'POST'))
    const begun = await timed(portal, '', '/auth/login')
    t.equal(begun.headers.get('location'), '/signin-failed?reason=unavailable')
    await end()
    await eventually(
      async () => (await timed(portal, cookie, '/auth/session/renew', 'POST')).status === 200,
      BACK_WITHIN_MS
    )
    await eventually(async () => (await stored()) !== before)
    t.equal((await timed(portal, cookie, '/auth/logout', 'POST')).status, 200)
    t.equal((await timed(portal, cookie, ME)).status, 401)
  })
}

/** Starts a Redis program with these settings; it ends with the test. */
async function launch(
  t: Test,
  settings: string[],
  ...more: string[]
): Promise<{ port: number; child: ChildProcess }> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'portal-redis-'))
  const file = join(folder, 'redis.conf')
  writeFileSync(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, 'save ""', ...settings].join('\n'))
  const child = spawn('redis-server', [file, ...more], { stdio: 'ignore' })
  t.teardown(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const look = new Redis(port, '127.0.0.1', { retryStrategy: () => 20 })
  look.on('error', () => {})
  await eventually(
    () =>
      look.ping().then(
        () => true,
        () => false
      ),
    10_000
  )
  look.disconnect()
  return { port, child }
}

t.test('a failover that Sentinels arrange', async (t) => {
  const main = await launch(t, ['repl-diskless-sync-delay 0'])
  const replica = await launch(t, [`replicaof 127.0.0.1 ${main.port}`, 'replica-priority 1'])
  const watch = [
    `sentinel monitor portal 127.0.0.1 ${main.port} 2`,
    'sentinel down-after-milliseconds portal 500',
    'sentinel failover-timeout portal 2000'
  ]
  const sentinels = await Promise.all([1, 2, 3].map(() => launch(t, watch, '--sentinel')))
  const look = new Redis(sentinels[0]?.port ?? 0, '127.0.0.1', { maxRetriesPerRequest: 1 })
  t.teardown(() => look.disconnect())
  const known = async (what: string) => {
    const reply = (await look.call('SENTINEL', what, 'portal')) as string[][]
    return reply.length
  }
  await eventually(async () => (await known('REPLICAS')) === 1 && (await known('SENTINELS')) === 2, 15_000)
  const there = await portalWith(
    t,
    {
      REDIS_SENTINELS: sentinels.map(({ port }) => `127.0.0.1:${port}`).join(','),
      REDIS_SENTINEL_NAME: 'portal'
    },
    portal
  )
  const cookie = await signInWith(fake, there.url)
  const copy = new Redis(replica.port, '127.0.0.1')
  t.teardown(() => copy.disconnect())
  await eventually(async () => (await copy.keys('portal:*:session')).length === 1, 5000)

  main.child.kill('SIGKILL')
  const begun = performance.now()
  const seen = new Set<number>()
  let slowest = 0
  await eventually(async () => {
    const { status, ms } = await timed(there, cookie, '/auth/session/renew', 'POST')
    seen.add(status)
    slowest = Math.max(slowest, ms)
    return status === 200 && seen.has(503)
  }, 20_000)
  t.strictSame([...seen].sort(), [200, 503], 'some calls are told to try again, nobody is signed out')
  t.ok(slowest < AT_ONCE_MS, `each within a second (${Math.round(slowest)} ms)`)
  t.comment(`the failover took ${Math.round(performance.now() - begun)} ms`)
  t.equal((await timed(there, cookie, ME)).status, 200, 'with the same cookie')
  const again = await signInWith(fake, there.url, 'u-2')
  t.equal((await timed(there, again, '/auth/logout', 'POST')).status, 200)
  t.equal((await timed(there, again, ME)).status, 401)
})

t.test('a Redis Cluster', async (t) => {
  const settings = ['cluster-enabled yes', 'cluster-node-timeout 1000', 'cluster-require-full-coverage no']
  const nodes = await Promise.all([1, 2, 3].map(() => launch(t, settings)))
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`)
  execFileSync('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes'], { stdio: 'pipe' })
  const look = new Redis(nodes[0]?.port ?? 0, '127.0.0.1')
  t.teardown(() => look.disconnect())
  await eventually(async () => (await look.cluster('INFO')).includes('cluster_state:ok'), 10_000)

  const there = await portalWith(t, { REDIS_CLUSTER: addresses.join(',') }, portal)
  const cookies = await Promise.all(
    Array.from({ length: 12 }, (_, index) => signInWith(fake, there.url, `u-${index % 3}`))
  )
  for (const cookie of cookies) {
    t.equal((await timed(there, cookie, ME)).status, 200)
    t.equal((await timed(there, cookie, '/auth/session/renew', 'POST')).status, 200)
  }
  t.equal((await timed(there, cookies[0] ?? '', '/auth/logout', 'POST')).status, 200)
  t.equal((await timed(there, cookies[0] ?? '', ME)).status, 401)
  const ended = await fetch(`${there.url}/auth/backchannel-logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: fake.logoutToken({ sub: 'u-1' }) })
  })
  t.equal(ended.status, 200, 'all sessions of a person end, wherever they lie')
  const statuses = await Promise.all(cookies.map(async (cookie) => (await timed(there, cookie, ME)).status))
  t.strictSame(
    statuses,
    cookies.map((_, index) => (index === 0 || index % 3 === 1 ? 401 : 200))
  )

  nodes[2]?.child.kill('SIGKILL')
  const alive = cookies.filter((_, index) => index !== 0 && index % 3 !== 1)
  const after = await eventually(async () => {
    const answers = await Promise.all(alive.map((cookie) => timed(there, cookie, ME)))
    return answers.some(({ status }) => status === 200) ? answers : null
  }, 10_000)
  t.ok(
    after?.every(({ status }) => status === 200 || status === 503),
    `with a node lost, its sessions are told to try again: ${after?.map(({ status }) => status)}`
  )
  const slowest = Math.max(...(after ?? []).map(({ ms }) => ms))
  t.ok(slowest < AT_ONCE_MS, `within a second (${Math.round(slowest)} ms)`)
})
