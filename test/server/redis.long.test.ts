import t, { type Test } from 'tap'
import { startCluster } from '../support/redis-processes.ts'
import { openRedis, startRedis } from '../support/redis-server.ts'
import { createStopwatch } from '../support/stopwatch.ts'

const measure = createStopwatch()

async function connected(t: Test, env: Record<string, string>) {
  const redis = await openRedis(env)
  t.teardown(() => redis.disconnect())
  return redis
}

function busy(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

t.test('doesn’t time out Redis while the event loop is blocked', async (t) => {
  const { url } = await startRedis(t)
  const redis = await connected(t, { REDIS_URL: url })
  const asked = Array.from({ length: 800 }, (_, index) => redis.echo(String(index)))
  // Longer than the library's socket timeout.
  busy(2500)
  t.strictSame(
    await Promise.all(asked),
    asked.map((_, index) => String(index)),
    'busy before the first answer'
  )
  const slow = Array.from({ length: 800 }, (_, index) => redis.echo(String(index)).then(() => busy(1)))
  await t.resolves(Promise.all(slow), 'busy after each answer')
  // Some answers are due just when the event loop continues.
  const throughout: Promise<string>[] = []
  for (const until = performance.now() + 900; performance.now() < until; busy(1))
    throughout.push(redis.echo(String(throughout.length)))
  await t.resolves(Promise.all(throughout), 'busy between the calls')
})

t.test('behaves alike with a Cluster, and times out a hanging node within a second', async (t) => {
  const { env, primaryOf } = await startCluster(t)
  const cluster = await connected(t, env)
  const keys = Array.from({ length: 200 }, (_, index) => `key-${index}`)
  await Promise.all(keys.map((key) => cluster.set(key, key)))
  const asked = keys.map((key) => cluster.get(key))
  busy(900)
  t.strictSame(await Promise.all(asked), keys)
  const primary = await primaryOf('key-1')
  primary?.freeze()
  const taken = measure()
  await t.rejects(cluster.get('key-1'), /timed out/)
  const ms = taken()
  t.ok(ms < 1_500, `${ms} ms`)
  primary?.thaw()
})
