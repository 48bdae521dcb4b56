// Replicas on machines with different clocks agree on times, because they use the clock of Redis.
import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { Redis } from 'ioredis'
import pino from 'pino'
import t, { type Test } from 'tap'
import { createMetrics } from '#server/observability/metrics.ts'
import { createRedisClock } from '#server/redis-clock.ts'
import type { SessionState } from '#shared/answers/session.ts'
import { type Portal, startPortal } from '#test/support/portal.ts'
import { callWith, signInWith, startFakeAuthority } from '../support/fake-authority.ts'
import { random, seconds } from '../support/fake-tokens.ts'
import { eventually, startRedis } from '../support/redis-server.ts'
import { openSandbox } from '../support/scenes/gateway.ts'

const ME = '/api/v2/management/myUser'
const MINUTE_MS = 60_000
const AT_ONCE_MS = 30_000

const fake = await startFakeAuthority(t)
const sandbox = await openSandbox(t)
const redis = await startRedis(t)
const secrets = [randomBytes(32).toString('base64')]
const silent = pino({ level: 'silent' })

async function startReplica(aheadMs: number): Promise<Portal> {
  const connection = new Redis(redis.url)
  const localClock = () => Date.now() + aheadMs
  const clock = createRedisClock(connection, { localClock, log: silent })
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
  const clock = createRedisClock(connection, { localClock: () => Date.now() + aheadMs, log: silent })
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
  const clock = createRedisClock(connection, { localClock: () => 5, log })
  t.teardown(() => {
    clock.close()
    connection.disconnect()
  })
  await eventually(() => warnings.length > 0)
  t.match(warnings, [/uses the clock of this machine/])
  t.equal(clock.now(), 5)
})

/** A clock of which the test sets every part. `pass` lets time pass and reads Redis's clock. */
async function startClock(t: Test) {
  const time = { redis: 1_000_000, local: 2_000_000, steady: 0 }
  const eval_ = async () => [String(Math.floor(time.redis / 1000)), String((time.redis % 1000) * 1000)]
  const connection = Object.assign(new EventEmitter(), { status: 'ready', eval: eval_ }) as unknown as Redis
  const refusals: string[] = []
  const lines: string[] = []
  const clock = createRedisClock(connection, {
    localClock: () => time.local,
    steadyClock: () => time.steady,
    log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) }),
    onRefused: (reason) => refusals.push(reason)
  })
  t.teardown(clock.close)
  await clock.synchronize()
  const pass = async (change: Partial<typeof time>, ms = 10_000) => {
    for (const part of ['redis', 'local', 'steady'] as const) time[part] += change[part] ?? ms
    await clock.synchronize()
  }
  return { time, clock, pass, refusals, lines }
}

t.test('a clock of Redis that stands still is refused, and time goes on', async (t) => {
  const { clock, pass, refusals, lines } = await startClock(t)
  const start = clock.now()
  for (let reading = 0; reading < 10; reading += 1) await pass({ redis: 0 })
  t.equal(clock.now() - start, 100_000)
  t.strictSame(refusals, Array(10).fill('stands still'))
  t.match(lines, [/refuses Redis's clock/])
  await pass({})
  t.equal(refusals.length, 10)
  t.match(lines, [/refuses/, /uses Redis's clock again/])
})

t.test('a clock of Redis that jumps by more than five minutes is refused', async (t) => {
  for (const jumpMs of [3_600_000, -3_600_000, 300_001, -300_001]) {
    const { clock, pass, refusals } = await startClock(t)
    const start = clock.now()
    await pass({ redis: 10_000 + jumpMs })
    await pass({})
    t.equal(clock.now() - start, 20_000, `${jumpMs}`)
    t.strictSame(refusals, ['jumps', 'jumps'])
    await pass({ redis: 10_000 - jumpMs })
    t.equal(clock.now() - start, 30_000)
    t.equal(refusals.length, 2, 'the old clock is accepted again')
  }
})

t.test('a correction of five minutes is accepted, and so is any of the own machine', async (t) => {
  const { clock, pass, refusals, time } = await startClock(t)
  await pass({ redis: 310_000 })
  t.equal(clock.now(), time.redis)
  await pass({ redis: -290_000 })
  t.equal(clock.now(), time.redis)
  await pass({ local: 3_600_000 })
  t.equal(clock.now(), time.redis)
  // A machine that sleeps stops its steady clock only.
  await pass({ redis: 3_600_000, local: 3_600_000, steady: 10 })
  t.equal(clock.now(), time.redis)
  t.strictSame(refusals, [])
})
