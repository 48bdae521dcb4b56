// Measures what each step of a permitted call costs: a gateway without the step, in turns with the whole gateway. One person makes
// all calls, as in most bursts.
import { SERVER_CORE } from './cores.ts'
import { median, quantile, table } from './figures.ts'
import { type Bench, type Benchmark, middle, takeRounds } from './frame.ts'
import { STEP_NAMES, type StepName } from './left-out.ts'
import { type Server, startServer } from './program.ts'
import { startLoad, startScene } from './scene.ts'

const PATH = '/api/v2/management/organizations/1000/projects?page=0&size=20'
const CONNECTIONS = 32
const TURN_SECONDS = 0.5
/** Code that is still being compiled is slow. */
const WARM_UP_CALLS = 20_000
const ROUNDS_MIN = 3
export const steps: Benchmark = { name: 'steps', weight: 4, alone: true, run }

async function run(bench: Bench): Promise<void> {
  const scene = await startScene(bench, { people: 1 })
  const upstream = { UPSTREAM_URL: scene.plain.origin }
  const settings = { ...upstream, ROLES_MAX_AGE_SECONDS: '600' }
  const load = await startLoad(
    bench,
    scene.callsOf(() => PATH)
  )
  /** CPU time of the main thread, in microseconds per call. */
  async function take(server: Server) {
    const before = await server.ask<number>('mainThreadCpu')
    const { calls, failed } = await load.fast(server.origin, CONNECTIONS, TURN_SECONDS)
    if (failed > 0) throw new Error(`${failed} of ${calls} calls failed`)
    return { calls, micros: ((await server.ask<number>('mainThreadCpu')) - before) / calls }
  }
  async function warmUp(server: Server) {
    for (let calls = 0; calls < WARM_UP_CALLS; ) calls += (await take(server)).calls
  }
  const whole = await scene.startGateway(settings)
  await warmUp(whole)

  /** Compares a server with the whole gateway, then stops it. */
  async function compare(title: string, other: Server) {
    await warmUp(other)
    const rounds = await takeRounds(['whole', 'other'], (name) => take(name === 'whole' ? whole : other), {
      seconds: bench.seconds / (STEP_NAMES.length + 1),
      atLeast: ROUNDS_MIN
    })
    await other.stop()
    const saved = rounds.map((round) => round.whole.micros - round.other.micros)
    const wholeMicros = middle(rounds, 'whole', ({ micros }) => micros)
    return [
      title,
      wholeMicros.toFixed(1),
      median(saved).toFixed(1),
      [0.25, 0.75].map((part) => quantile(saved, part).toFixed(1)).join(' to '),
      `${((100 * median(saved)) / wholeMicros).toFixed(1)} %`,
      rounds.length
    ]
  }

  const startWithout = (name: StepName) => {
    const level = name === 'log line (LOG_LEVEL=warn)' ? { LOG_LEVEL: 'warn' } : {}
    return scene.startGateway({ ...settings, ...level, BENCH_WITHOUT: name }, 'programs/gateway-without.ts')
  }
  const bare = await startServer(bench, 'programs/bare-proxy.ts', { core: SERVER_CORE, env: upstream })
  const rows = [await compare('only @fastify/http-proxy', bare)]
  for (const name of STEP_NAMES) rows.push(await compare(`without ${name}`, await startWithout(name)))
  const head = [
    '2 KB, one session',
    'whole gateway, CPU µs per call',
    'saved µs',
    'quartiles',
    'share',
    'rounds'
  ]
  bench.print(table(head, rows))
}
