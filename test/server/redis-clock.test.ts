// Replicas on machines with different clocks agree on times, because they use the clock of Redis.
import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import pino from 'pino'
import t from 'tap'
import { createMetrics } from '#server/observability/metrics.ts'
import { createRedisClock } from '#server/redis-clock.ts'
import type { SessionState } from '#shared/answers/session.ts'
import { startSandbox } from '#test/sandbox/app.ts'
import { type Portal, startPortal } from '#test/support/portal.ts'
import { callWith, signInWith, startFakeAuthority } from '../support/fake-authority.ts'
import { random, seconds } from '../support/fake-tokens.ts'
import { eventually, startRedis } from '../support/redis-server.ts'

const ME = '/api/v2/management/myUser'
const MINUTE_MS = 60_000
const AT_ONCE_MS = 30_000

const fake = await startFakeAuthority(t)
const sandbox = await startSandbox()
t.teardown(sandbox.stop)
const redis = await startRedis(t)
const secrets = [randomBytes(32).toString('base64')]
const silent = pino({ level: 'silent' })

async function startReplica(aheadMs: number): Promise<Portal> {
  const connection = new Redis(redis.url)
  const localClock = () => Date.now() + aheadMs
  const clock = createRedisClock(connection, localClock, silent)
  t.teardown(() => {
    clock.close()
    connection.disconnect()
  })
  await eventually(() => (aheadMs === 0 ? connection.status === 'ready' : clock.offsetMs() !== 0))
  const backend = redis.untimedBackend()
  const clocks = { clock: clock.now, localClock }
  return startPortal(t, { env: fake.env, ...clocks, backend, secrets, startedSandbox: sandbox })
}

const [right, ahead, behind] = [
  await startReplica(0),
  await startReplica(4 * MINUTE_MS),
  await startReplica(-4 * MINUTE_MS)
]
const replicas = [right, ahead, behind]

t.test('after all other sessions are ended, a sign-in through a replica that is behind works', async (t) => {
  const cookie = await signInWith(fake, ahead.url, 'u-others')
  const otherCookie = await signInWith(fake, behind.url, 'u-others')
  t.equal((await callWith(cookie, ahead.url, '/auth/sessions', { method: 'DELETE' })).status, 204)
  t.equal((await callWith(otherCookie, behind.url, ME)).status, 401)
  const signIn = () => signInWith(fake, behind.url, 'u-others').catch(() => null)
  t.match(await eventually(signIn, AT_ONCE_MS), /^portal=/)
})

t.test('replicas four minutes apart do not read the user with each call', async (t) => {
  for (const [index, { url }] of replicas.entries()) {
    const cookie = await signInWith(fake, url, `u-roles-${index}`)
    fake.reset()
    for (const replica of replicas)
      for (let call = 0; call < 3; call += 1) await (await callWith(cookie, replica.url, ME)).text()
    t.equal(fake.calls.length, 9, `only the forwarded calls after a sign-in through replica ${index}`)
  }
})

t.test('/auth/session of each replica reports at most the idle time', async (t) => {
  for (const { url } of replicas) {
    const cookie = await signInWith(fake, url)
    for (const replica of replicas) {
      const answer = await callWith(cookie, replica.url, '/auth/session')
      const { expires_in } = (await answer.json()) as SessionState
      t.ok(expires_in <= 1800 && expires_in > 1700, `${expires_in} s`)
    }
  }
})

t.test('a gateway whose clock is four minutes off accepts logout tokens', async (t) => {
  for (const { url } of replicas) {
    const sid = random()
    const cookie = await signInWith(fake, url, 'u-logout', sid)
    const form = { logout_token: fake.logoutToken({ sid, exp: seconds() + 60 }) }
    const answer = await fetch(`${url}/auth/backchannel-logout`, {
      method: 'POST',
      body: new URLSearchParams(form)
    })
    t.equal(answer.status, 200)
    t.equal((await callWith(cookie, url, ME)).status, 401)
  }
})

t.test('reads the time again with each connection, and reports the offset in seconds', async (t) => {
  const server = await startRedis(t)
  const connection = new Redis(server.url)
  connection.on('error', () => {})
  let aheadMs = 0
  const clock = createRedisClock(connection, () => Date.now() + aheadMs, silent)
  t.teardown(() => {
    clock.close()
    connection.disconnect()
  })
  const metrics = createMetrics()
  metrics.watchClock(clock.offsetMs)
  await eventually(() => connection.status === 'ready')
  aheadMs = 90_000
  await server.restart()
  await eventually(() => clock.offsetMs() < 0)
  t.ok(Math.abs(clock.now() - Date.now()) < 5_000)
  t.match(await metrics.render(), /^gateway_clock_offset_seconds -(?:8[5-9]|9[0-5])(?:\.\d+)?$/m)
})

t.test('uses its own clock if Redis does not allow to read the time', async (t) => {
  await redis.client.call('ACL', 'SETUSER', 'without-time', 'on', '>pass', '~*', '+@all', '-time')
  const connection = new Redis(redis.adminUrl, { username: 'without-time', password: 'pass' })
  const warnings: string[] = []
  const log = pino({}, { write: (line: string) => void warnings.push(JSON.parse(line).msg) })
  const clock = createRedisClock(connection, () => 5, log)
  t.teardown(() => {
    clock.close()
    connection.disconnect()
  })
  await eventually(() => warnings.length > 0)
  t.match(warnings, [/uses the clock of this machine/])
  t.equal(clock.now(), 5)
})
