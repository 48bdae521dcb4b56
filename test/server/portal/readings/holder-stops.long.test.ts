// Two gateway processes read together: when the one that reads is frozen or killed, the other one goes on. With one Redis, with
// Sentinels and with a Cluster.
import type { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import type { Sandbox } from '#test/sandbox/app.ts'
import { Browser, signIn } from '#test/support/portal.ts'
import { startControlledUpstream } from '../../../support/controlled-upstream.ts'
import { eventually } from '../../../support/eventually.ts'
import { type GatewayProcess, productionAt, startGatewayProcess } from '../../../support/gateway-process.ts'
import type { Live } from '../../../support/live.ts'
import { startCluster, startSentinels } from '../../../support/redis-processes.ts'
import { startRedis } from '../../../support/redis-server.ts'
import {
  follow,
  isAlarmSearch,
  openStoppedSandbox,
  raiseAtNorthwind
} from '../../../support/scenes/stream.ts'

const POLL_SECONDS = 2
const INTERVAL_MS = POLL_SECONDS * 1_000
const READS_OBSERVED = 3
const CALLS_PER_READ = 2

// Several processes start here, which takes long on a busy machine.
t.setTimeout(600_000)
// Most of the time these tests wait for intervals, so they run side by side.
t.jobs = 3

interface Store {
  env: Record<string, string>
  /** Clients of all nodes that have keys. */
  clients: readonly Redis[]
}

interface Replica extends GatewayProcess {
  live: Live
  searches: () => number
}

const STORES: Record<string, (t: Test) => Promise<Store>> = {
  'with one Redis': async (t) => {
    const { url, client } = await startRedis(t)
    return { env: { REDIS_URL: url }, clients: [client] }
  },
  'with Sentinels': async (t) => {
    const { env, nodes } = await startSentinels(t)
    return { env, clients: nodes.map(({ client }) => client) }
  },
  'with a Cluster': async (t) => {
    const { env, nodes } = await startCluster(t)
    // So that replicas tell about keys, too.
    await Promise.all(nodes.map(({ client }) => client.readonly()))
    return { env, clients: nodes.map(({ client }) => client) }
  }
}

async function startReplicas(
  t: Test,
  sandbox: Sandbox,
  env: Record<string, string>
): Promise<[Replica, Replica]> {
  const { REDIS_URL: _url, ...production } = productionAt(sandbox, '')
  const upstreams = [await startControlledUpstream(t, sandbox), await startControlledUpstream(t, sandbox)]
  const [first, second] = await Promise.all(
    upstreams.map(async ({ url, asked }) => {
      const settings = { ...production, ...env, UPSTREAM_URL: url, LIVE_POLL_SECONDS: String(POLL_SECONDS) }
      const gateway = await startGatewayProcess(t, settings)
      return { gateway, searches: () => asked.filter(isAlarmSearch).length }
    })
  )
  if (!first || !second) throw new Error('there are no replicas')
  const person = await signIn(first.gateway.url, sandbox, 'partner.user')
  const open = async ({ gateway, searches }: typeof first): Promise<Replica> => {
    const browser = new Browser(gateway.url, person.jar)
    const live = await follow(t, browser)
    return { ...gateway, live, searches }
  }
  return [await open(first), await open(second)]
}

const countOf = async ({ live }: Replica) =>
  Number((await live.has('alarms', ({ tag }) => tag !== null)).count)

/** The replica that reads several times while the other one does not, and the other one. */
async function holderOf(replicas: readonly [Replica, Replica]): Promise<{ holder: Replica; other: Replica }> {
  let before = replicas.map(({ searches }) => searches())
  return eventually(() => {
    const reads = replicas.map(({ searches }, index) => (searches() - (before[index] ?? 0)) / CALLS_PER_READ)
    const index = reads.findIndex((count) => count >= READS_OBSERVED)
    const [holder, other] = index === 0 ? replicas : [replicas[1], replicas[0]]
    if (index >= 0 && reads[1 - index] === 0) return { holder, other }
    if (reads.every((count) => count > 0)) before = replicas.map(({ searches }) => searches())
    return undefined
  })
}

/** The longest time until a lease of a reading ends. */
async function longestLeaseMs(clients: readonly Redis[]): Promise<number> {
  const times = clients.map(async (client) => {
    const keys = await client.keys('*:lease')
    return Promise.all(keys.map((key) => client.pttl(key)))
  })
  return Math.max(...(await Promise.all(times)).flat())
}

for (const [name, startStore] of Object.entries(STORES))
  t.test(name, async (t) => {
    const sandbox = await openStoppedSandbox(t)
    const { env, clients } = await startStore(t)
    const replicas = await startReplicas(t, sandbox, env)
    for (const [signal, stops] of [
      ['SIGSTOP', 'is frozen'],
      ['SIGKILL', 'is killed']
    ] as const)
      await t.test(
        `the other replica goes on within two intervals when the reading one ${stops}`,
        async (t) => {
          const { holder, other } = await holderOf(replicas)
          const count = await countOf(other)
          holder.child.kill(signal)
          // The other one tries again every quarter of an interval.
          const leaseMs = await longestLeaseMs(clients)
          t.ok(leaseMs > 0 && leaseMs <= 1.5 * INTERVAL_MS, `the lease lasts ${leaseMs} ms more`)
          const before = other.searches()
          raiseAtNorthwind(sandbox)
          await other.live.has('alarms', (data) => data.count === count + 1)
          t.ok(other.searches() > before)
          holder.child.kill('SIGCONT')
          if (signal === 'SIGSTOP') await holder.live.has('alarms', (data) => data.count === count + 1)
        }
      )
  })
