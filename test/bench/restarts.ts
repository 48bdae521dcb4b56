// Three replicas behind HAProxy as we ship it, under 300 calls a second: while they are restarted or killed one after the
// other, while their Redis is away for two seconds, and while it fails over under Sentinel and in a Cluster.
import { setTimeout as wait } from 'node:timers/promises'
import { prepareHaproxy } from '#test/support/haproxy.ts'
import { startCluster, startSentinels } from '#test/support/redis-processes.ts'
import { eventually, startRedis } from '#test/support/redis-server.ts'
import { type Replicas, startReplicas } from '#test/support/replicas.ts'
import { type Answered, startSteadyLoad } from '#test/support/steady-load.ts'
import { startTcpProxy } from '#test/support/tcp-proxy.ts'
import { table } from './figures.ts'
import type { Bench, Benchmark } from './frame.ts'
import type { StartedSandbox } from './portal-apart.ts'
import { startProgram } from './program.ts'

const PER_SECOND = 300
const REPLICAS = 3
const AWAY_MS = 2_000
const ME = '/api/v2/management/myUser'
const SETTLE_MS = 4_000
const WITHIN_MS = 60_000

interface Situation {
  name: string
  /** Settings of the gateways' Redis, and what disturbs it or them. */
  prepare: (bench: Bench) => Promise<{
    env: Record<string, string>
    disturb: (replicas: Replicas) => Promise<unknown>
  }>
}

const SITUATIONS: readonly Situation[] = [
  ...(['SIGTERM', 'SIGKILL'] as const).map((signal) => ({
    name: `each replica, ${signal}`,
    async prepare(bench: Bench) {
      const { url } = await startRedis(bench)
      return { env: { REDIS_URL: url }, disturb: (replicas: Replicas) => replicas.endEach(signal) }
    }
  })),
  {
    name: `Redis away for ${AWAY_MS} ms`,
    async prepare(bench) {
      const { look } = await startRedis(bench)
      const wire = await startTcpProxy(bench, look.options.port ?? 0)
      const disturb = async () => {
        await wire.refuse()
        await wait(AWAY_MS)
        wire.accept()
      }
      return { env: { REDIS_URL: `redis://127.0.0.1:${wire.port}` }, disturb }
    }
  },
  {
    name: 'Sentinel fails over',
    async prepare(bench) {
      const { env, nodes, primary } = await startSentinels(bench)
      const [main, replica] = nodes
      const disturb = async () => {
        await main?.kill()
        await eventually(async () => (await primary()) === replica, WITHIN_MS)
      }
      return { env, disturb }
    }
  },
  {
    name: 'one of three in a Cluster fails over',
    async prepare(bench) {
      const redis = await startCluster(bench, () => [])
      const disturb = async () => {
        await eventually(redis.inStep, WITHIN_MS)
        const keeper = await redis.keeperOf('portal')
        await keeper?.kill()
        await eventually(async () => ![null, keeper].includes(await redis.keeperOf('portal')), WITHIN_MS)
      }
      return { env: redis.env, disturb }
    }
  }
]

export const restarts: Benchmark = { name: 'restarts', weight: 1, alone: true, run }

async function run(bench: Bench): Promise<void> {
  const haproxy = await prepareHaproxy(bench)
  const program = startProgram(bench, 'programs/sandbox.ts')
  const sandbox = await program.ask<StartedSandbox>('start', { gatewayUrl: haproxy.url })

  const rows: (string | number)[][] = []
  for (const { name, prepare } of SITUATIONS) {
    const { env: redis, disturb } = await prepare(bench)
    const replicas = await startReplicas(bench, { sandbox, haproxy, redis, count: REPLICAS })
    rows.push([name, ...(await measure(haproxy.url, replicas.cookies, () => disturb(replicas)))])
    await replicas.stop()
  }
  const head = [`${PER_SECOND} calls/s`, 'calls', '200', '503 + Retry-After', 'share %', 'failed']
  bench.print(table([...head, 'longest without a 200, ms', 'signed out'], rows))
}

async function measure(url: string, cookies: readonly string[], disturb: () => Promise<unknown>) {
  const load = startSteadyLoad(url, ME, cookies, PER_SECOND)
  await wait(SETTLE_MS)
  await disturb()
  await wait(SETTLE_MS)
  const answered = await load.end()
  const isToldToWait = ({ status, retryAfter }: Answered) => status === 503 && retryAfter !== undefined
  const fine = answered.filter(({ status }) => status === 200).map(({ ended }) => ended)
  const gaps = fine.toSorted((a, b) => a - b).map((at, index, all) => at - (all[index - 1] ?? at))
  const waited = answered.filter(isToldToWait).length
  const call = async (cookie: string) => fetch(url + ME, { headers: { cookie, 'x-portal-csrf': '1' } })
  const now = await Promise.all(cookies.map(call))
  return [
    answered.length,
    fine.length,
    waited,
    ((100 * waited) / answered.length).toFixed(1),
    answered.length - fine.length - waited,
    Math.round(Math.max(...gaps)),
    now.filter(({ status }) => status === 401).length
  ]
}
