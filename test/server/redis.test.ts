// How commands reach Redis, and which answers they may take; what else happens while it is in trouble show the tests of auth/.
import { type Cluster, Redis } from 'ioredis'
import pino from 'pino'
import t, { type Test } from 'tap'
import { readConfig } from '#server/config/settings.ts'
import { connectRedis } from '#server/redis.ts'
import { startCluster } from '../support/redis-processes.ts'
import { eventually, startRedis } from '../support/redis-server.ts'
import { createStopwatch } from '../support/stopwatch.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const measure = createStopwatch()
// Nobody signs in here.
const { url } = await startRedis(t, () => [])

async function open(t: Test, store: Record<string, string>): Promise<Redis | Cluster> {
  const config = readConfig({
    NODE_ENV: 'test',
    OIDC_ISSUER: 'http://localhost:1',
    OIDC_CLIENT_ID: 'portal',
    OIDC_CLIENT_SECRET: 'unused',
    UPSTREAM_URL: 'http://localhost:1',
    ...store
  })
  const redis = await connectRedis(config, pino({ level: 'silent' }))
  if (redis === null) throw new Error('a Redis was configured')
  t.teardown(() => redis.disconnect())
  return redis
}

async function connected(t: Test, redisUrl: string): Promise<Redis> {
  const redis = await open(t, { REDIS_URL: redisUrl })
  if (!(redis instanceof Redis)) throw new Error('one node is one connection')
  return redis
}

function busy(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

t.test('after an answer got lost no command takes that of another, however many follow', async (t) => {
  const wire = await startTcpProxy(t, Number(new URL(url).port))
  const redis = await connected(t, `redis://127.0.0.1:${wire.port}`)
  wire.loseAnswerTo('get')
  await t.rejects(redis.get('a'), /timed out|closed/i)
  t.equal(wire.lost(), 1)
  const wrong: string[] = []
  let right = 0
  const ask = async (word: string) => {
    const answer = await redis.echo(word).catch(() => null)
    if (answer === word) right += 1
    else if (answer !== null) wrong.push(`${word} was answered ${answer}`)
  }
  // Never a pause in which the connection could be found idle.
  await eventually(async () => {
    await Promise.all(Array.from({ length: 20 }, (_, number) => ask(`${right}-${number}`)))
    return right >= 1000
  })
  t.strictSame(wrong, [])
})

t.test('commands of one turn each get their own answer, and a lone one waits for nobody', async (t) => {
  const redis = await connected(t, url)
  const numbers = Array.from({ length: 50 }, (_, number) => `${number}`)
  t.strictSame(await Promise.all(numbers.map((number) => redis.echo(number))), numbers)
  t.equal(await redis.echo('alone'), 'alone')
})

t.test('the time that this process takes to get to an answer is not that of Redis', async (t) => {
  const redis = await connected(t, url)
  const asked = Array.from({ length: 800 }, (_, index) => redis.echo(String(index)))
  // Longer than the library's connections may be silent.
  busy(2500)
  t.strictSame(
    await Promise.all(asked),
    asked.map((_, index) => String(index)),
    'busy before the first answer'
  )
  const slow = Array.from({ length: 800 }, (_, index) => redis.echo(String(index)).then(() => busy(1)))
  await t.resolves(Promise.all(slow), 'and with each of them')
  // Some are due just when the process gets to them again.
  const throughout: Promise<string>[] = []
  for (const until = performance.now() + 900; performance.now() < until; busy(1))
    throughout.push(redis.echo(String(throughout.length)))
  await t.resolves(Promise.all(throughout), 'and while they are asked')
})

t.test('nor is it that of a Cluster, and a node that hangs is given up within a second', async (t) => {
  const { env, keeperOf } = await startCluster(t, () => [])
  const cluster = await open(t, env)
  const keys = Array.from({ length: 200 }, (_, index) => `key-${index}`)
  await Promise.all(keys.map((key) => cluster.set(key, key)))
  const asked = keys.map((key) => cluster.get(key))
  busy(900)
  t.strictSame(await Promise.all(asked), keys)
  const keeper = await keeperOf('key-1')
  keeper?.freeze()
  const taken = measure()
  await t.rejects(cluster.get('key-1'), /timed out/)
  const ms = taken()
  t.ok(ms < 1_500, `${ms} ms`)
  keeper?.thaw()
})

t.test('a Redis that hangs is given up within a second', async (t) => {
  const hanging = await startRedis(t, () => [])
  const redis = await connected(t, hanging.url)
  hanging.freeze()
  const warnings: Error[] = []
  process.on('warning', (warning) => warnings.push(warning))
  const taken = measure()
  const asked = Array.from({ length: 20 }, () => redis.echo('x'))
  const outcomes = await Promise.allSettled(asked)
  const ms = taken()
  t.ok(ms < 1_500, `${ms} ms`)
  t.match(
    outcomes.map((outcome) => outcome.status === 'rejected' && String(outcome.reason)),
    Array(20).fill(/timed out/)
  )
  t.strictSame(warnings, [], 'and once, however many commands it owes')
  hanging.thaw()
})
