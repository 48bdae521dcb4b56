// Further kinds of failure of one Redis than redis-trouble.test.ts has: 503 at once with the cookie kept, recovery without
// help, and no late writes.
import t from 'tap'
import { signInWith, startFakeAuthority } from '../../../support/fake-authority.ts'
import { eventually, startRedis } from '../../../support/redis-server.ts'
import { BACK_WITHIN_MS, ME, portalAt, timed, unavailable } from '../../../support/store-trouble.ts'
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
