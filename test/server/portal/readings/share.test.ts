// Several gateways with one Redis read the alarms of a customer together: one of them at a time, for the viewers of all.
import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import pino from 'pino'
import t, { type Test } from 'tap'
import type { SessionBackend } from '#server/auth/sessions/backend.ts'
import { createRedisBackend } from '#server/auth/sessions/redis.ts'
import { createReplicaMessages } from '#server/replica-messages.ts'
import type { AlarmsEvent } from '#shared/answers/events.ts'
import type { AttentionList, OrganizationAlarms } from '#shared/answers/portal.ts'
import type { Worklists } from '#shared/answers/worklists.ts'
import type { Sandbox } from '#test/sandbox/app.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { Browser, type Portal, signIn, startPortal } from '#test/support/portal.ts'
import {
  type Asked,
  type ControlledUpstream,
  startControlledUpstream
} from '../../../support/controlled-upstream.ts'
import { eventually } from '../../../support/eventually.ts'
import type { Live } from '../../../support/live.ts'
import { type RedisServer, startRedis } from '../../../support/redis-server.ts'
import { complete, MULTI, organizationPath } from '../../../support/scenes/organization.ts'
import {
  follow,
  isAlarmSearch,
  NORTHWIND_STREAM,
  openStoppedSandbox,
  raiseAtNorthwind
} from '../../../support/scenes/stream.ts'

const POLL_MS = 1_000
const TURN_MS = 100
/** Turns that make a round of a list longer than an interval. */
const LONG_TURN_MS = 500
const REPLICAS = 4
const LIST = organizationPath('alarms?size=500')
// Most of the time these tests wait for intervals, so they run side by side.
t.jobs = 5

interface Settings {
  env?: Record<string, string>
  /** Time between the reads of a list. */
  turnMs?: number
}

/** What the replicas of a test share. */
interface Shared {
  sandbox: Sandbox
  redis: RedisServer
  /** How far the clock of the replicas is ahead. */
  clock: { aheadMs: number }
  secrets: string[]
}

interface Replica extends Portal {
  shared: Shared
  /** Chooses the answers to the calls of this replica. */
  upstream: ControlledUpstream
  /** Ends its leases and messages, but not its sessions. */
  cutOff(): void
  /** The calls of this replica for alarms. */
  searches(): Asked[]
}

async function startReplica(
  t: Test,
  shared: Shared,
  { env = {}, turnMs = TURN_MS }: Settings
): Promise<Replica> {
  const { sandbox, redis, clock, secrets } = shared
  const upstream = await startControlledUpstream(t, sandbox)
  const client = new Redis(redis.url, { retryStrategy: () => 50 })
  client.on('error', () => {})
  const messages = createReplicaMessages(client, pino({ level: 'silent' }))
  const sessions = redis.untimedBackend()
  let isCutOff = false
  const lost = async (): Promise<never> => {
    throw new Error('cut off')
  }
  const leases = createRedisBackend(client)
  const backend: SessionBackend = {
    ...sessions,
    takeLease: (...call) => (isCutOff ? lost() : leases.takeLease(...call)),
    renewLease: (...call) => (isCutOff ? lost() : leases.renewLease(...call)),
    releaseLease: (...call) => (isCutOff ? lost() : leases.releaseLease(...call))
  }
  t.teardown(async () => {
    await messages.close()
    client.disconnect()
  })
  const portal = await startPortal(t, {
    startedSandbox: sandbox,
    clock: () => Date.now() + clock.aheadMs,
    secrets,
    backend,
    messages: {
      ...messages,
      topic(name) {
        const topic = messages.topic(name)
        return { ...topic, publish: (message) => isCutOff || topic.publish(message) }
      },
      isReceiving: () => !isCutOff && messages.isReceiving()
    },
    env: { UPSTREAM_URL: upstream.url, LIVE_POLL_SECONDS: String(POLL_MS / 1000), ...env },
    limits: { alarmTurnMs: turnMs, streamHeartbeatMs: 200 }
  })
  await eventually(() => messages.isReceiving())
  const cutOff = () => {
    isCutOff = true
  }
  return { ...portal, shared, upstream, cutOff, searches: () => upstream.asked.filter(isAlarmSearch) }
}

async function startReplicas(t: Test, count: number, settings: Settings = {}): Promise<Replica[]> {
  const sandbox = await openStoppedSandbox(t)
  const secrets = [randomBytes(32).toString('base64')]
  const shared: Shared = { sandbox, redis: await startRedis(t), clock: { aheadMs: 0 }, secrets }
  const replicas: Replica[] = []
  for (let number = 0; number < count; number += 1) replicas.push(await startReplica(t, shared, settings))
  return replicas
}

const signInAt = ({ url, sandbox }: Portal, username: string) => signIn(url, sandbox, username)
const at = ({ url }: Portal, { jar }: Browser) => new Browser(url, jar)

/** A person with a stream at each replica. */
async function lookAtAll(t: Test, replicas: Replica[], username: string, query: string) {
  const [first] = replicas
  if (first === undefined) throw new Error('there is no replica')
  const person = await signInAt(first, username)
  const streams: Live[] = []
  for (const replica of replicas) streams.push(await follow(t, at(replica, person), query))
  return { person, streams }
}

function raise([replica]: Replica[]) {
  if (replica === undefined) throw new Error('there is no replica')
  return raiseAtNorthwind(replica.sandbox)
}

const searchesOf = (replicas: Replica[]) => replicas.reduce((sum, { searches }) => sum + searches().length, 0)

/** Waits until something has taken this many intervals. */
const intervals = (count: number) => new Promise((resolve) => setTimeout(resolve, count * POLL_MS))

t.test('replicas read a customer together as often as one, and all see a new alarm', async (t) => {
  const replicas = await startReplicas(t, REPLICAS)
  const { streams } = await lookAtAll(t, replicas, 'partner.user', NORTHWIND_STREAM)
  for (const live of streams) await live.has('alarms', ({ tag }) => tag !== null)
  const { count } = (await streams[0]?.has('alarms')) ?? {}
  const before = searchesOf(replicas)
  const startedAt = performance.now()
  await intervals(10)
  raise(replicas)
  for (const live of streams) await live.has('alarms', (data) => data.count === Number(count) + 1)
  const reads = (searchesOf(replicas) - before) / 2
  const expected = (performance.now() - startedAt) / POLL_MS
  t.ok(reads <= 1.2 * expected + 1, `${reads} reads in ${expected} intervals`)
})

for (const [name, turnMs] of [
  ['short', TURN_MS],
  ['long', LONG_TURN_MS]
] as const)
  t.test(`replicas read the customers of a ${name} list together as often as one`, async (t) => {
    const replicas = await startReplicas(t, REPLICAS, { turnMs })
    const query = `?organizationId=${MULTI}`
    const { streams } = await lookAtAll(t, replicas, 'customer.multi', query)
    for (const live of streams)
      for (const id of NOTABLE.multi)
        await live.has('alarms', ({ customerId, tag }) => customerId === id && tag !== null)
    const before = searchesOf(replicas)
    const startedAt = performance.now()
    await intervals(10)
    const reads = (searchesOf(replicas) - before) / 2
    // Each of the three customers is read again after an interval, or a round of the list.
    const roundMs = Math.max(POLL_MS, NOTABLE.multi.length * turnMs)
    const expected = (NOTABLE.multi.length * (performance.now() - startedAt)) / roundMs
    t.ok(reads <= 1.2 * expected, `${reads} reads instead of ${expected}`)
  })

t.test(
  'a customer that a list leaves to another replica is read at once when somebody opens it',
  async (t) => {
    const [holder, other] = await startReplicas(t, 2, { env: { LIVE_POLL_SECONDS: '300' } })
    if (!holder || !other) throw new Error('there are no replicas')
    const list = `?organizationId=${MULTI}`
    const { person, streams } = await lookAtAll(t, [holder, other], 'customer.multi', list)
    for (const live of streams)
      for (const id of NOTABLE.multi)
        await live.has('alarms', ({ customerId, tag }) => customerId === id && tag !== null)
    const before = other.searches().length
    await follow(t, at(other, person), `?customerId=${MULTI}`)
    await eventually(() => other.searches().length > before)
  }
)

t.test('a replica reads the alarms themselves once, when somebody asks for them', async (t) => {
  const [holder, other] = await startReplicas(t, 2, { env: { LIVE_POLL_SECONDS: '300' } })
  if (!holder || !other) throw new Error('there are no replicas')
  const person = await signInAt(holder, 'customer.multi')
  await follow(t, person, `?organizationId=${MULTI}`)
  const listAt = (replica: Replica) => complete<OrganizationAlarms>(at(replica, person), LIST)
  const expected = await listAt(holder)
  const found = await listAt(other)
  t.strictSame(
    found.items.map(({ uuid }) => uuid),
    expected.items.map(({ uuid }) => uuid)
  )
  const before = other.searches().length
  t.equal(before, 2 * NOTABLE.multi.length)
  await listAt(other)
  t.equal(other.searches().length, before)
})

t.test(
  'a replica that has heard only counts reads the rows of a list once, when somebody asks',
  async (t) => {
    const [holder, other] = await startReplicas(t, 2)
    if (!holder || !other) throw new Error('there are no replicas')
    const person = await signInAt(holder, 'customer.multi')
    const listAt = <List extends { partial: unknown[] }>(replica: Replica, path: string) =>
      complete<List>(at(replica, person), organizationPath(path))
    const readsOf = (replica: Replica, part: string) =>
      replica.upstream.asked.filter(({ target }) => target.includes(part)).length
    await listAt(holder, 'attention')
    await listAt(other, 'attention')
    t.equal(readsOf(other, '/subscription/'), 0, 'the other one has heard the counts')
    for (const name of ['services', 'plans', 'backups'] as const) {
      const path = `worklists/${name}?size=1000`
      const expected = await listAt<Worklists[typeof name]>(holder, path)
      const found = await listAt<Worklists[typeof name]>(other, path)
      t.strictSame(found.items, expected.items, name)
      await listAt(other, path)
    }
    t.equal(readsOf(other, '/subscription/'), NOTABLE.multi.length)
    t.equal(readsOf(other, '/metrics-detail'), readsOf(holder, '/metrics-detail'))
  }
)

/** The replica that reads, after it has been read for a while. */
async function holderOf(replicas: Replica[]): Promise<Replica> {
  await intervals(3)
  const before = replicas.map(({ searches }) => searches().length)
  await intervals(3)
  const made = replicas.map(({ searches }, index) => searches().length - (before[index] ?? 0))
  const holder = replicas[made.indexOf(Math.max(...made))]
  if (holder === undefined) throw new Error('nobody reads')
  return holder
}

async function stopHolder(replicas: Replica[], stop: (holder: Replica) => void): Promise<Replica> {
  const holder = await holderOf(replicas)
  stop(holder)
  return holder
}

/** The replica that begins the next read gets no answer to it. Returns that replica. */
function hangNextReader(replicas: Replica[]): Promise<Replica> {
  let reader: Replica | undefined
  for (const replica of replicas)
    replica.upstream.rule = (asked) => {
      if (!isAlarmSearch(asked)) return undefined
      reader ??= replica
      return reader === replica ? new Promise(() => {}) : undefined
    }
  return eventually(() => reader)
}

for (const [name, stop] of [
  ['is closed', (replicas) => stopHolder(replicas, ({ app }) => void app.close())],
  ['is cut off from Redis', (replicas) => stopHolder(replicas, ({ cutOff }) => cutOff())],
  ['gets no answer', hangNextReader]
] as [string, (replicas: Replica[]) => Promise<Replica>][])
  t.test(`another replica goes on when the one that reads ${name}`, async (t) => {
    const replicas = await startReplicas(t, 3)
    const { streams } = await lookAtAll(t, replicas, 'partner.user', NORTHWIND_STREAM)
    for (const live of streams) await live.has('alarms', ({ tag }) => tag !== null)
    const { count } = (await streams[0]?.has('alarms')) ?? {}
    const holder = await stop(replicas)
    const others = streams.filter((_live, index) => replicas[index] !== holder)
    const before = replicas.map(({ searches }) => searches().length)
    raise(replicas)
    for (const live of others) await live.has('alarms', (data) => data.count === Number(count) + 1)
    // The one that is being closed may have read and told the new alarm itself.
    const goesOn = (replica: Replica, index: number) =>
      replica !== holder && replica.searches().length > Number(before[index])
    t.ok(await eventually(() => replicas.some(goesOn)))
  })

for (const [screen, username, query, customers] of [
  ['an opened customer', 'partner.user', NORTHWIND_STREAM, 1],
  ['a list', 'customer.multi', `?organizationId=${MULTI}`, NOTABLE.multi.length]
] as const)
  t.test(`a refused viewer of ${screen} is tried again after a minute, whoever reads`, async (t) => {
    // So long that the lease of the holder never ends by chance.
    const [holder, other] = await startReplicas(t, 2, { env: { LIVE_POLL_SECONDS: '5' } })
    if (!holder || !other) throw new Error('there are no replicas')
    const { clock } = holder.shared
    const person = await signInAt(holder, username)
    other.upstream.rule = (asked) => (isAlarmSearch(asked) ? { status: 403 } : undefined)
    const refused = await follow(t, at(other, person), query)
    const { customerId } = await refused.has('alarms', ({ delayedSince }) => delayedSince !== undefined)
    const live = await follow(t, at(holder, person), query)
    const newestIs = (check: (data: AlarmsEvent) => boolean) => (data: AlarmsEvent) =>
      data.customerId === customerId && check(data)
    const read = await live.has(
      'alarms',
      newestIs(({ tag }) => tag !== null)
    )
    other.upstream.rule = () => undefined
    clock.aheadMs = 30_000
    const before = holder.searches().length
    await eventually(() => holder.searches().length >= before + 2 * customers)
    t.equal(
      (
        await refused.has(
          'alarms',
          newestIs(() => true)
        )
      ).count,
      null,
      'not before'
    )
    clock.aheadMs = 61_000
    t.ok(
      await refused.has(
        'alarms',
        newestIs(({ count }) => count === read.count)
      )
    )
  })

t.test('without Redis for leases and messages, each replica reads for itself', async (t) => {
  const replicas = await startReplicas(t, 2)
  const { streams } = await lookAtAll(t, replicas, 'partner.user', NORTHWIND_STREAM)
  for (const live of streams) await live.has('alarms', ({ tag }) => tag !== null)
  for (const replica of replicas) replica.cutOff()
  const before = replicas.map(({ searches }) => searches().length)
  await eventually(() =>
    replicas.every(({ searches }, index) => searches().length >= (before[index] ?? 0) + 3 * 2)
  )
  t.pass('both read again and again')
})

t.test('what a call changes is read again first, and seen at all replicas', async (t) => {
  const replicas = await startReplicas(t, 2, { env: { LIVE_POLL_SECONDS: '300' } })
  const { person, streams } = await lookAtAll(t, replicas, 'partner.admin', NORTHWIND_STREAM)
  const tags: unknown[] = []
  for (const live of streams) tags.push((await live.has('alarms', ({ tag }) => tag !== null)).tag)
  const { deviceId, uuid } = raise(replicas)
  const path = `/api/v1/control/devices/${deviceId}/commands/editAlarmData`
  const answer = await person.call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-customer-id': NOTABLE.northwind },
    body: JSON.stringify({ alarms: [{ uuid, notes: 'called' }], requestProcessingPriority: 255 })
  })
  t.equal(answer.status, 202)
  for (const [index, live] of streams.entries())
    t.ok(await live.has('alarms', ({ tag }) => tag !== null && tag !== tags[index]))
})

t.test('a new project counts at once at each replica', async (t) => {
  const [first, other] = await startReplicas(t, 2)
  if (!first || !other) throw new Error('there are no replicas')
  const person = await signInAt(first, 'partner.admin')
  const projectCount = async () => {
    const path = organizationPath('attention', NOTABLE.partner)
    const { items } = await at(other, person).json<AttentionList>(path)
    return items.find(({ id }) => id === NOTABLE.northwind)?.projectCount
  }
  const before = Number(await projectCount())
  const answer = await person.call('/api/v2/management/projects', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-customer-id': NOTABLE.northwind },
    body: JSON.stringify({
      projectName: 'Annex',
      customer: `/organizations/${NOTABLE.northwind}`,
      partner: `/organizations/${NOTABLE.partner}`
    })
  })
  t.equal(answer.status, 201)
  // Less than the 30 seconds after which each replica reads the list again.
  await eventually(async () => (await projectCount()) === before + 1, 20_000)
})

t.test('Redis gets neither names nor counts of a customer', async (t) => {
  const [replica] = await startReplicas(t, 1)
  if (!replica) throw new Error('there is no replica')
  const { redis } = replica.shared
  const spy = new Redis(redis.url)
  t.teardown(() => spy.disconnect())
  const messages: string[] = []
  await spy.subscribe('portal:readings', 'portal:changes')
  spy.on('message', (_channel, message) => void messages.push(message))
  const person = await signInAt(replica, 'partner.user')
  const live = await follow(t, person, NORTHWIND_STREAM)
  await live.has('alarms', ({ tag }) => tag !== null)
  await eventually(() => messages.length > 0)
  const keys = await redis.client.keys('*')
  t.ok(keys.some((key) => key.endsWith(':lease')))
  const all = [...messages, ...keys].join('\n')
  t.notOk(all.includes(NOTABLE.northwind))
  t.notOk(/newestAt|count/.test(all))
})
