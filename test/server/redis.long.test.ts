import t, { type Test } from 'tap'
import { startCluster } from '../support/redis-processes.ts'
import { openRedis, startRedis } from '../support/redis-server.ts'
import { createStopwatch } from '../support/stopwatch.ts'

const measure = createStopwatch()

async function connect(t: Test, env: Record<string, string>) {
  const redis = await openRedis(env)
  t.teardown(() => redis.disconnect())
  return redis
}

function blockFor(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

t.test('doesn’t time out Redis while the event loop is blocked', async (t) => {
  const { url } = await startRedis(t)
  const redis = await connect(t, { REDIS_URL: url })
  const answers = Array.from({ length: 800 }, (_, index) => redis.ping(String(index)))
  // Blocks longer than the library's socket timeout.
  blockFor(2500)
  t.strictSame(
    await Promise.all(answers),
    answers.map((_, index) => String(index)),
    'blocked before the first answer'
  )
  const calls = Array.from({ length: 800 }, (_, index) => redis.ping(String(index)).then(() => blockFor(1)))
  await t.resolves(Promise.all(calls), 'blocked after each answer')
  // Some answers reach their timeout while the event loop is blocked.
  const steadyCalls: Promise<string>[] = []
  for (const until = performance.now() + 900; performance.now() < until; blockFor(1))
    steadyCalls.push(redis.ping(String(steadyCalls.length)))
  await t.resolves(Promise.all(steadyCalls), 'blocked between the calls')
})

t.test('a Cluster tolerates a blocked event loop, and times out a hanging node in 1.5 s', async (t) => {
  const { env, primaryOf } = await startCluster(t)
  const cluster = await connect(t, env)
  const keys = Array.from({ length: 200 }, (_, index) => `portal:key-${index}`)
  await Promise.all(keys.map((key) => cluster.set(key, key)))
  const answers = keys.map((key) => cluster.get(key))
  blockFor(900)
  t.strictSame(await Promise.all(answers), keys)
  const primary = await primaryOf('portal:key-1')
  primary?.freeze()
  const elapsed = measure()
  await t.rejects(cluster.get('portal:key-1'), /timed out/)
  const ms = elapsed()
  t.ok(ms < 1_500, `${ms} ms`)
  primary?.thaw()
})
