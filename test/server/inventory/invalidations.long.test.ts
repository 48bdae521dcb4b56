// Invalidations between replicas while Redis fails, and over a Cluster.
import { Cluster, Redis } from 'ioredis'
import pino from 'pino'
import t, { type Test } from 'tap'
import { readConfig } from '#server/config/settings.ts'
import { createRedisInvalidations, type Invalidations } from '#server/inventory/invalidations.ts'
import { connectRedis } from '#server/redis.ts'
import type { Log } from '#server/types.ts'
import { startCluster } from '../../support/redis-processes.ts'
import { eventually, startRedis } from '../../support/redis-server.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'

const WITHIN_MS = 60_000
const SETTINGS = {
  NODE_ENV: 'test',
  OIDC_ISSUER: 'http://localhost:1',
  OIDC_CLIENT_ID: 'portal',
  OIDC_CLIENT_SECRET: 'unused',
  UPSTREAM_URL: 'http://localhost:1'
}
const silent = pino({ level: 'silent' })

async function opened(
  t: Test,
  redis: Redis | Cluster,
  log: Log = silent
): Promise<{ heard: string[]; invalidations: Invalidations }> {
  const invalidations = createRedisInvalidations(redis, log)
  const heard: string[] = []
  invalidations.onChange((customerId) => heard.push(customerId))
  t.teardown(() => invalidations.close())
  return { heard, invalidations }
}

t.test('each replica receives the others’ messages but not its own, also after Redis was away', async (t) => {
  const server = await startRedis(t)
  const connect = () => {
    const redis = new Redis(server.url, { retryStrategy: () => 50, enableOfflineQueue: true })
    redis.on('error', () => {})
    t.teardown(() => redis.disconnect())
    return redis
  }
  const [one, other] = [await opened(t, connect()), await opened(t, connect())]
  await eventually(() => {
    one.invalidations.publish('c-1')
    return other.heard.includes('c-1')
  }, WITHIN_MS)
  t.strictSame(one.heard, [])

  await server.restart()
  await eventually(() => {
    one.invalidations.publish('c-2')
    return other.heard.includes('c-2')
  }, WITHIN_MS)
  t.strictSame(one.heard, [])
})

t.test('subscribes again when the answer is lost, and leaves no rejection unhandled', async (t) => {
  const server = await startRedis(t)
  const wire = await startTcpProxy(t, Number(new URL(server.url).port))
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  const warned: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warned.push(line) })
  const redis = await connectRedis(
    readConfig({ ...SETTINGS, REDIS_URL: `redis://127.0.0.1:${wire.port}` }),
    silent
  )
  if (redis === null) throw new Error('there is a Redis')
  t.teardown(() => redis.disconnect())
  const listening = await opened(t, redis, log)
  const beside = new Redis(server.url)
  t.teardown(() => beside.disconnect())
  const { invalidations } = await opened(t, beside)
  for (let time = 1; time <= 3; time += 1) {
    wire.loseAnswerTo('subscribe')
    wire.reset()
    await eventually(() => wire.lost() === time, WITHIN_MS)
    await eventually(() => warned.length >= time || unhandled.length > 0, WITHIN_MS)
    await eventually(() => {
      invalidations.publish(`c-${time}`)
      return listening.heard.includes(`c-${time}`)
    }, WITHIN_MS)
  }
  t.strictSame(unhandled, [])
})

t.test('replicas receive each other’s messages over a Redis Cluster', async (t) => {
  const { nodes } = await startCluster(t)
  const connect = async () => {
    const cluster = new Cluster(
      nodes.map(({ port }) => ({ host: '127.0.0.1', port })),
      { lazyConnect: true }
    )
    cluster.on('error', () => {})
    t.teardown(() => cluster.disconnect())
    await cluster.connect()
    return cluster
  }
  const [one, other] = [await opened(t, await connect()), await opened(t, await connect())]
  await eventually(() => {
    one.invalidations.publish('c-1')
    return other.heard.includes('c-1')
  }, WITHIN_MS)
  t.strictSame(one.heard, [])
})
