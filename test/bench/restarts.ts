// Two replicas restarted one after the other under 300 calls a second, with a Redis that stays and with one that fails
// over under Sentinel: which calls fail, who is signed out, and how soon all is well again.
import { startRedis } from '#test/server/redis-server.ts'
import { type Replicas, startReplicas } from '#test/server/replicas.ts'
import { startSentinels } from '#test/server/sentinels.ts'
import { type Answered, startSteadyLoad } from '#test/server/steady-load.ts'
import { OTHER_CORE } from './cores.ts'
import { table } from './figures.ts'
import type { StartedSandbox } from './portal-apart.ts'
import { startProgram } from './program.ts'
import type { Bench, Benchmark } from './run.ts'

const PER_SECOND = 300
const ME = '/api/v2/management/myUser'
const PEOPLE = [
  'global.admin',
  'partner.admin',
  'partner.user',
  'customer.admin',
  'customer.user',
  'customer.multi'
]
const SETTLE_MS = 5_000

export const restarts: Benchmark = { name: 'restarts', weight: 1, alone: true, run }

async function run(bench: Bench): Promise<void> {
  const program = startProgram('programs/sandbox.ts', { core: OTHER_CORE })
  bench.teardown(() => program.stop())
  const sandbox = await program.ask<StartedSandbox>('start')

  const single = await startRedis(bench)
  const calm = await startReplicas(bench, { sandbox, redis: { REDIS_URL: single.url } })
  const restarted = await measured(calm, (replicas) => replicas.restartEach().then(() => null))

  const redis = await startSentinels(bench)
  const watched = await startReplicas(bench, { sandbox, redis: redis.env })
  await redis.copied()
  const failedOver = await measured(watched, async (replicas) => {
    const restarting = replicas.restartEach()
    const promoted = await redis.failOver()
    await restarting
    return promoted
  })

  const rows = [
    ['rolling restart', ...restarted],
    ['rolling restart while Redis fails over', ...failedOver]
  ]
  const head = [
    `${PER_SECOND} calls/s`,
    'calls',
    '200',
    '503 + Retry-After',
    'other',
    'broken by the balancer',
    'sent again by it',
    'signed out',
    'well again after'
  ]
  bench.print(table(head, rows))
  const why = [...calm.balancer.failures, ...watched.balancer.failures].map((one) => one.split(' ').at(-1))
  if (why.length > 0) bench.print(`\nBroken by: ${[...new Set(why)].join(', ')}`)
}

/** @param disturb tells when the new Redis took over, if that was what it did */
async function measured(replicas: Replicas, disturb: (replicas: Replicas) => Promise<number | null>) {
  const { balancer } = replicas
  const cookies = await replicas.signIn(PEOPLE)
  const load = startSteadyLoad(balancer.url, ME, cookies, PER_SECOND)
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const promoted = await disturb(replicas)
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const answered = await load.end()
  const told = ({ status, retryAfter }: Answered) => status === 503 && retryAfter !== undefined
  const last = answered.filter(told).reduce((latest, { ended }) => Math.max(latest, ended), 0)
  const out = await Promise.all(
    cookies.map(
      async (cookie) => (await fetch(balancer.url + ME, { headers: { cookie, 'x-portal-csrf': '1' } })).status
    )
  )
  return [
    answered.length,
    answered.filter(({ status }) => status === 200).length,
    answered.filter(told).length,
    answered.filter((one) => one.status !== 200 && !told(one)).length,
    balancer.failures.length,
    balancer.repeats(),
    out.filter((status) => status === 401).length,
    promoted === null ? '' : `${Math.max(0, Math.round(last - promoted))} ms`
  ]
}
