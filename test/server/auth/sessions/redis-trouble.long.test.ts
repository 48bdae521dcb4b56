// Further kinds of failure of one Redis than redis-trouble.test.ts has: 503 at once with the cookie kept, recovery without
// help, and no late writes.
import t from 'tap'
import { signInWith, startFakeAuthority } from '../../../support/fake-authority.ts'
import { eventually, startRedis } from '../../../support/redis-server.ts'
import {
  BACK_WITHIN_MS,
  ME,
  NEED_SESSION,
  portalAt,
  timed,
  unavailable
} from '../../../support/store-trouble.ts'
import { startTcpProxy } from '../../../support/tcp-proxy.ts'
import { placeOf } from '../../../support/visits.ts'

const fake = await startFakeAuthority(t)

const redis = await startRedis(t)
const wire = await startTcpProxy(t, Number(new URL(redis.url).port))
const portal = await portalAt(t, fake, { REDIS_URL: `redis://127.0.0.1:${wire.port}` })

async function stored(): Promise<string> {
  const keys = (await redis.look.keys('portal:*:session')).sort()
  const held = await Promise.all(keys.map((key) => redis.look.hgetall(key)))
  return JSON.stringify(held.map((fields, index) => [keys[index], Object.entries(fields).sort()]))
}

const FAULTS: Record<string, { begin: () => unknown; end: () => unknown }> = {
  'refuses connections': { begin: () => wire.refuse(), end: () => wire.accept() },
  'swallows everything': { begin: () => wire.hold(), end: () => wire.letGo() },
  'ends every connection': {
    begin: () => {
      wire.endsEach = true
      wire.reset()
    },
    end: () => {
      wire.endsEach = false
    }
  },
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
    for (const [method, path] of NEED_SESSION)
      unavailable(t, `${method} ${path}`, await timed(portal, cookie, path, method))
    const burst = await Promise.all(Array.from({ length: 50 }, () => timed(portal, cookie, ME)))
    t.strictSame([...new Set(burst.map(({ status }) => status))], [503], 'fifty at once too')
    const without = await timed(portal, '', '/api/nowhere')
    t.equal(without.status, 404, 'calls without a session are answered')
    await end()
    const back = performance.now()
    await eventually(async () => (await timed(portal, cookie, ME)).status === 200, BACK_WITHIN_MS)
    t.pass(`back after ${Math.round(performance.now() - back)} ms, with the same cookie`)
    t.equal(await stored(), before, 'no refused write was made later')
  })
}

t.test('a slow Redis is waited for', async (t) => {
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
  t.test(`a Redis that ${name} is read from, and writing is a 503`, async (t) => {
    const cookie = await signInWith(fake, portal.url)
    const before = await stored()
    await begin()
    t.equal((await timed(portal, cookie, '/auth/session')).status, 200, 'reading works')
    unavailable(t, 'renewing', await timed(portal, cookie, '/auth/session/renew', 'POST'))
    await eventually(async () => (await timed(portal, cookie, ME)).status === 200, BACK_WITHIN_MS)
    unavailable(t, 'signing out', await timed(portal, cookie, '/auth/logout', 'POST'))
    const begun = await timed(portal, '', '/auth/login')
    t.equal(placeOf(begun), '/signin-failed?reason=unavailable')
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

t.test('a Redis without memory is read from, and nobody can sign in', async (t) => {
  const cookie = await signInWith(fake, portal.url)
  await redis.look.config('SET', 'maxmemory', '1')
  t.equal((await timed(portal, cookie, ME)).status, 200)
  const begun = await timed(portal, '', '/auth/login')
  t.equal(placeOf(begun), '/signin-failed?reason=unavailable')
  await redis.look.config('SET', 'maxmemory', '0')
  await signInWith(fake, portal.url)
})
