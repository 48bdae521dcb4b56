import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { createRedisBackend } from '#server/auth/sessions/redis.ts'
import { PASSWORD, USER } from '../support/documented-users.ts'
import { eventually, openRedis, startRedis } from '../support/redis-server.ts'
import { createStopwatch } from '../support/stopwatch.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const measure = createStopwatch()
const { url } = await startRedis(t)

async function connect(t: Test, REDIS_URL: string): Promise<Redis> {
  const redis = await openRedis({ REDIS_URL })
  t.teardown(() => redis.disconnect())
  if (!(redis instanceof Redis)) throw new Error('expected a single-node client')
  return redis
}

t.test('after a lost answer, no command gets another command’s answer', async (t) => {
  const proxy = await startTcpProxy(t, Number(new URL(url).port))
  const redis = await connect(t, `redis://127.0.0.1:${proxy.port}`)
  proxy.loseAnswerTo('get')
  await t.rejects(redis.get('a'), /timed out|closed/i)
  t.equal(proxy.lost(), 1)
  const mismatches: string[] = []
  let matches = 0
  const ask = async (word: string) => {
    const answer = await redis.ping(word).catch(() => null)
    if (answer === word) matches += 1
    else if (answer !== null) mismatches.push(`${word} was answered ${answer}`)
  }
  // The connection must not become idle during the calls.
  await eventually(async () => {
    await Promise.all(Array.from({ length: 20 }, (_, number) => ask(`${matches}-${number}`)))
    return matches >= 1000
  })
  t.strictSame(mismatches, [])
})

t.test('repeats reads after a lost connection, but no writes', async (t) => {
  const proxy = await startTcpProxy(t, Number(new URL(url).port))
  const redis = await connect(t, `redis://127.0.0.1:${proxy.port}`)
  const backend = createRedisBackend(redis)
  await backend.remember('kept', 'value', 60_000)
  const reads: (() => Promise<unknown>)[] = [
    () => backend.recall('kept'),
    () => backend.read('none'),
    () => backend.keysOf('none', 10)
  ]
  for (const read of reads) {
    const answer = read()
    proxy.reset()
    await t.resolves(answer)
  }
  const write = backend.remember('lost', 'value', 60_000)
  proxy.reset()
  await t.rejects(write)
  await proxy.refuse()
  const elapsed = measure()
  await t.rejects(backend.recall('kept'), {
    message: 'there is no connection to Redis',
    cause: { code: /ECONN/ }
  })
  t.ok(elapsed() < 1_500, 'reports an unreachable Redis in time')
})

t.test('repeats a read that was lost at the end of its time, without a warning of Node', async (t) => {
  const proxy = await startTcpProxy(t, Number(new URL(url).port))
  const redis = await connect(t, `redis://127.0.0.1:${proxy.port}`)
  const backend = createRedisBackend(redis)
  await backend.remember('late', 'value', 60_000)
  const warnings: Error[] = []
  const listener = (warning: Error) => void warnings.push(warning)
  process.on('warning', listener)
  t.teardown(() => process.off('warning', listener))
  const answer = backend.recall('late')
  // The connection is lost when the time limit of the read has just passed.
  for (const until = performance.now() + 600; performance.now() < until; );
  proxy.reset()
  t.equal(await answer, 'value')
  t.strictSame(warnings, [])
})

t.test('completes the user name or password in REDIS_URL by the other settings', async (t) => {
  const { host } = new URL(url)
  const environments = [
    { REDIS_URL: `redis://${USER}@${host}`, REDIS_PASSWORD: PASSWORD },
    { REDIS_URL: `redis://:${PASSWORD}@${host}`, REDIS_USERNAME: USER },
    { REDIS_URL: `redis://${host}`, REDIS_USERNAME: USER, REDIS_PASSWORD: PASSWORD },
    { REDIS_URL: url, REDIS_USERNAME: 'another', REDIS_PASSWORD: 'another' }
  ]
  for (const env of environments) {
    const redis = await openRedis(env)
    t.teardown(() => redis.disconnect())
    t.equal(await redis.get('portal:none'), null)
    await t.rejects(redis.get('none'), /NOPERM/, 'has the permissions of that user')
  }
})

t.test('answers each command of a pipeline, and a command sent alone', async (t) => {
  const redis = await connect(t, url)
  const numbers = Array.from({ length: 50 }, (_, number) => `${number}`)
  t.strictSame(await Promise.all(numbers.map((number) => redis.ping(number))), numbers)
  t.equal(await redis.ping('alone'), 'alone')
})

t.test('times out a hanging Redis in 1.5 s', async (t) => {
  const server = await startRedis(t)
  const redis = await connect(t, server.url)
  server.freeze()
  const elapsed = measure()
  const calls = Array.from({ length: 20 }, () => redis.ping('x'))
  const outcomes = await Promise.allSettled(calls)
  const ms = elapsed()
  t.ok(ms < 1_500, `${ms} ms`)
  t.match(
    outcomes.map((outcome) => outcome.status === 'rejected' && String(outcome.reason)),
    Array(20).fill(/timed out/)
  )
  server.thaw()
})
