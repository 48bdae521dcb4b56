// What one replica changes, the others forget: two gateways over one Redis, and one over a Cluster.
import { Cluster, Redis } from 'ioredis'
import pino from 'pino'
import t, { type Test } from 'tap'
import { readConfig } from '#server/config/settings.ts'
import type { Invalidations } from '#server/inventory/invalidation.ts'
import { createRedisInvalidations } from '#server/inventory/redis-invalidation.ts'
import { connectRedis } from '#server/redis.ts'
import type { Log } from '#server/types.ts'
import type { ProjectList } from '#shared/entities.ts'
import { startSandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { signIn, startPortal } from '#test/support/portal.ts'
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
/** Nobody signs in here, so no token is the only rule. */
const nothing = () => []

async function opened(
  t: Test,
  redis: Redis | Cluster,
  log: Log = silent
): Promise<{ heard: string[]; told: Invalidations }> {
  const told = await createRedisInvalidations(redis, log)
  const heard: string[] = []
  told.onChange((customerId) => heard.push(customerId))
  t.teardown(() => told.close())
  return { heard, told }
}

t.test('each replica hears the others and not itself, also after Redis was away', async (t) => {
  const server = await startRedis(t, nothing)
  const connect = () => {
    const redis = new Redis(server.url, { retryStrategy: () => 50, enableOfflineQueue: true })
    redis.on('error', () => {})
    t.teardown(() => redis.disconnect())
    return redis
  }
  const [one, other] = [await opened(t, connect()), await opened(t, connect())]
  one.told.publish('c-1')
  await eventually(() => other.heard.includes('c-1'), WITHIN_MS)
  t.strictSame(one.heard, [])

  await server.restart()
  await eventually(() => {
    one.told.publish('c-2')
    return other.heard.includes('c-2')
  }, WITHIN_MS)
  t.strictSame(one.heard, [])
})

t.test('telling while Redis is away fails nobody', async (t) => {
  const server = await startRedis(t, nothing)
  const redis = new Redis(server.url, { enableOfflineQueue: false, retryStrategy: () => 50 })
  redis.on('error', () => {})
  t.teardown(() => redis.disconnect())
  await new Promise((resolve) => redis.once('ready', resolve))
  const { told } = await opened(t, redis)
  await server.kill()
  t.doesNotThrow(() => told.publish('c-1'))
  await new Promise((resolve) => setImmediate(resolve))
})

t.test('a subscription whose answer gets lost is made again, and nothing is left unhandled', async (t) => {
  const server = await startRedis(t, nothing)
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
  const { told } = await opened(t, beside)
  for (let time = 1; time <= 3; time += 1) {
    wire.loseAnswerTo('subscribe')
    wire.reset()
    await eventually(() => wire.lost() === time, WITHIN_MS)
    await eventually(() => warned.length >= time || unhandled.length > 0, WITHIN_MS)
    await eventually(() => {
      told.publish(`c-${time}`)
      return listening.heard.includes(`c-${time}`)
    }, WITHIN_MS)
  }
  t.strictSame(unhandled, [])
})

t.test('in a Redis Cluster they hear each other as well', async (t) => {
  const { nodes } = await startCluster(t, nothing)
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
    one.told.publish('c-1')
    return other.heard.includes('c-1')
  }, WITHIN_MS)
  t.strictSame(one.heard, [])
})

t.test('a write through one replica shows on another at once', async (t) => {
  const sandbox = await startSandbox()
  t.teardown(sandbox.stop)
  const server = await startRedis(t, sandbox.confided)
  const replica = async () => {
    const redis = new Redis(server.url)
    t.teardown(() => redis.disconnect())
    const { told } = await opened(t, redis)
    const { url } = await startPortal(t, { startedSandbox: sandbox, invalidations: told })
    return signIn(url, sandbox, 'partner.admin')
  }
  const [writer, reader] = [await replica(), await replica()]
  const path = `/api/portal/v1/customers/${NOTABLE.northwind}/projects`
  const names = async () =>
    (await reader.json<ProjectList>(path)).projects.map(({ projectName }) => projectName)
  await names()
  const [project] = sandbox.state.projects.of(NOTABLE.northwind)
  const answer = await writer.call(`/api/v2/management/projects/${project?.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', 'x-customer-id': NOTABLE.northwind },
    body: JSON.stringify({ projectName: 'Renamed on one replica' })
  })
  t.equal(answer.status, 200)
  // Far within the half minute for which it would be fresh.
  await eventually(async () => (await names()).includes('Renamed on one replica'), WITHIN_MS)
})
