// A write at one replica invalidates the snapshots of other replicas: two gateways share one Redis.
import { Redis } from 'ioredis'
import pino from 'pino'
import t from 'tap'
import { createReplicaMessages } from '#server/replica-messages.ts'
import type { ProjectList } from '#shared/answers/customers.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { type Browser, signIn, startPortal } from '#test/support/portal.ts'
import { eventually, startRedis } from '../support/redis-server.ts'
import { openSandbox } from '../support/scenes/gateway.ts'

const silent = pino({ level: 'silent' })

t.test('publishing while Redis is unreachable throws no error', async (t) => {
  const server = await startRedis(t)
  const redis = new Redis(server.url, { enableOfflineQueue: false, retryStrategy: () => 50 })
  redis.on('error', () => {})
  t.teardown(() => redis.disconnect())
  await new Promise((resolve) => redis.once('ready', resolve))
  const messages = createReplicaMessages(redis, silent)
  t.teardown(() => messages.close())
  await server.kill()
  t.doesNotThrow(() => messages.topic('inventory-changed').publish('c-1'))
  await new Promise((resolve) => setImmediate(resolve))
})

t.test('a write through one replica is visible on another replica at once', async (t) => {
  const sandbox = await openSandbox(t)
  const server = await startRedis(t)
  const startReplica = async () => {
    const { url } = await startPortal(t, { startedSandbox: sandbox, messages: server.messages(t) })
    return signIn(url, sandbox, 'partner.admin')
  }
  const [writer, reader] = [await startReplica(), await startReplica()]
  const path = `/api/portal/v1/customers/${NOTABLE.northwind}/projects`
  const names = async (browser: Browser) =>
    (await browser.json<ProjectList>(path)).projects.map(({ projectName }) => projectName)
  for (const browser of [writer, reader]) await names(browser)
  const [project] = sandbox.state.projects.of(NOTABLE.northwind)
  const answer = await writer.call(`/api/v2/management/projects/${project?.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', 'x-customer-id': NOTABLE.northwind },
    body: JSON.stringify({ projectName: 'Renamed on one replica' })
  })
  t.equal(answer.status, 200)
  t.ok((await names(writer)).includes('Renamed on one replica'))
  // Without the invalidation message, the snapshot would stay fresh for half a minute.
  await eventually(async () => (await names(reader)).includes('Renamed on one replica'))
})
