// Invalidations between replicas while Redis fails, and over a Cluster.
import { Cluster, Redis } from 'ioredis'
import pino from 'pino'
import t, { type Test } from 'tap'
import { createRedisInvalidations } from '#server/inventory/invalidations.ts'
import { connectRedis } from '#server/redis.ts'
import type { Log } from '#server/types.ts'
import { leastConfig } from '../../support/least-config.ts'
import { startCluster } from '../../support/redis-processes.ts'
import { eventually, startRedis } from '../../support/redis-server.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'

const silent = pino({ level: 'silent' })

async function opened(t: Test, redis: Redis | Cluster, log: Log = silent) {
  const invalidations = createRedisInvalidations(redis, log)
  const received: string[] = []
  invalidations.onChange((customerId) => received.push(customerId))
  t.teardown(() => invalidations.close())
  return { received, invalidations }
}
type Replica = Awaited<ReturnType<typeof opened>>

/** Publishes until the other replica receives the message. */
const delivers = (from: Replica, to: Replica, customerId: string) =>
  eventually(() => {
    from.invalidations.publish(customerId)
    return to.received.includes(customerId)
  })

t.test(
  'each replica receives the others’ messages but not its own, even after a restart of Redis',
  async (t) => {
    const server = await startRedis(t)
    const connect = () => {
      const redis = new Redis(server.url, { retryStrategy: () => 50, enableOfflineQueue: true })
      redis.on('error', () => {})
      t.teardown(() => redis.disconnect())
      return redis
    }
    const [one, other] = [await opened(t, connect()), await opened(t, connect())]
    await delivers(one, other, 'c-1')
    t.strictSame(one.received, [])

    await server.restart()
    await delivers(one, other, 'c-2')
    t.strictSame(one.received, [])
  }
)

t.test('subscribes again when the answer is lost, without an unhandled rejection', async (t) => {
  const server = await startRedis(t)
  const proxy = await startTcpProxy(t, Number(new URL(server.url).port))
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  const warned: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warned.push(line) })
  const redis = await connectRedis(leastConfig({ REDIS_URL: `redis://127.0.0.1:${proxy.port}` }), silent)
  if (redis === null) throw new Error('there is no Redis')
  t.teardown(() => redis.disconnect())
  const listening = await opened(t, redis, log)
  const direct = new Redis(server.url)
  t.teardown(() => direct.disconnect())
  const publisher = await opened(t, direct)
  for (let time = 1; time <= 3; time += 1) {
    proxy.loseAnswerTo('subscribe')
    proxy.reset()
    await eventually(() => proxy.lost() === time)
    await eventually(() => warned.length >= time || unhandled.length > 0)
    await delivers(publisher, listening, `c-${time}`)
  }
  t.strictSame(unhandled, [])
})

t.test('replicas receive each other’s messages over a Redis Cluster', async (t) => {
  const { nodes } = await startCluster(t)
  const connect = async () => {
    const hosts = nodes.map(({ port }) => ({ host: '127.0.0.1', port }))
    const cluster = new Cluster(hosts, { lazyConnect: true })
    cluster.on('error', () => {})
    t.teardown(() => cluster.disconnect())
    await cluster.connect()
    return cluster
  }
  const [one, other] = [await opened(t, await connect()), await opened(t, await connect())]
  await delivers(one, other, 'c-1')
  t.strictSame(one.received, [])
})
