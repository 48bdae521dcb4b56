// Messages between replicas while Redis fails, and over a Cluster.
import { Cluster, Redis } from 'ioredis'
import pino from 'pino'
import t, { type Test } from 'tap'
import { connectRedis } from '#server/redis.ts'
import { createReplicaMessages } from '#server/replica-messages.ts'
import type { Log } from '#server/types.ts'
import { leastConfig } from '../support/least-config.ts'
import { startCluster } from '../support/redis-processes.ts'
import { eventually, startRedis } from '../support/redis-server.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const silent = pino({ level: 'silent' })

async function open(t: Test, redis: Redis | Cluster, log: Log = silent) {
  const messages = createReplicaMessages(redis, log)
  const topic = messages.topic('inventory-changed')
  const received: string[] = []
  topic.onMessage((customerId) => received.push(customerId))
  t.teardown(() => messages.close())
  return { received, topic }
}
type Replica = Awaited<ReturnType<typeof open>>

/** Publishes until the other replica receives the message. */
const deliver = (from: Replica, to: Replica, customerId: string) =>
  eventually(() => {
    from.topic.publish(customerId)
    return to.received.includes(customerId)
  })

t.test(
  'each replica receives other replicas’ messages but not its own, even after a restart of Redis',
  async (t) => {
    const server = await startRedis(t)
    const connect = () => {
      const redis = new Redis(server.url, { retryStrategy: () => 50, enableOfflineQueue: true })
      redis.on('error', () => {})
      t.teardown(() => redis.disconnect())
      return redis
    }
    const [replica1, replica2] = [await open(t, connect()), await open(t, connect())]
    await deliver(replica1, replica2, 'c-1')
    t.strictSame(replica1.received, [])

    await server.restart()
    await deliver(replica1, replica2, 'c-2')
    t.strictSame(replica1.received, [])
  }
)

t.test('subscribes again when the answer is lost, without an unhandled rejection', async (t) => {
  const server = await startRedis(t)
  const proxy = await startTcpProxy(t, Number(new URL(server.url).port))
  const rejections: unknown[] = []
  const recordRejection = (reason: unknown) => void rejections.push(reason)
  process.on('unhandledRejection', recordRejection)
  t.teardown(() => process.off('unhandledRejection', recordRejection))
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
  const redis = await connectRedis(leastConfig({ REDIS_URL: `redis://127.0.0.1:${proxy.port}` }), silent)
  if (redis === null) throw new Error('there is no Redis')
  t.teardown(() => redis.disconnect())
  const subscriber = await open(t, redis, log)
  const client = new Redis(server.url)
  t.teardown(() => client.disconnect())
  const publisher = await open(t, client)
  for (let count = 1; count <= 3; count += 1) {
    proxy.loseAnswerTo('subscribe')
    proxy.reset()
    await eventually(() => proxy.lost() === count)
    await eventually(() => warnings.length >= count || rejections.length > 0)
    await deliver(publisher, subscriber, `c-${count}`)
  }
  t.strictSame(rejections, [])
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
  const [replica1, replica2] = [await open(t, await connect()), await open(t, await connect())]
  await deliver(replica1, replica2, 'c-1')
  t.strictSame(replica1.received, [])
})
