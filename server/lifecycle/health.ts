// GET /healthz, /startedz and /readyz tell orchestrators and load balancers whether the process is alive, has started and
// can take calls.
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { networkReason } from '../error-causes.ts'

interface Options {
  readiness: () => Promise<Readiness>
  isDraining: () => boolean
  /** The problem by address; null if there is none. Only for display: the gateway is ready even if no upstream is reachable. */
  upstreams: () => Promise<ReadonlyMap<string, string | null>>
}

export interface Readiness {
  ready: boolean
  draining: boolean
  /** `ok` or the problem, by name of the check. */
  checks: Record<string, string>
}

/** Time limit of a probe: load balancers call every few seconds. */
const PROBE_MS = 2_000

/** @param probes the checks by name; each rejects with its problem */
export async function readinessOf(
  probes: Record<string, () => Promise<unknown>>,
  draining: boolean
): Promise<Readiness> {
  const states = await Promise.all(
    Object.entries(probes).map(async ([name, probe]) => [name, await stateOf(probe)] as const)
  )
  const ready = !draining && states.every(([, state]) => state === 'ok')
  return { ready, draining, checks: Object.fromEntries(states) }
}

export async function healthRoutes(
  app: FastifyInstance,
  { readiness, isDraining, upstreams }: Options
): Promise<void> {
  app.get('/healthz', async () => ({ status: 'alive' }))

  // A replica that was never ready may have wrong settings and must stop a rollout. A replica that was ready stays started: a
  // restart repairs neither Redis nor the authority. While Redis is away, it tells people so itself; it only stops taking calls to
  // stop.
  let wasReady = false
  app.get('/startedz', async (_request, reply) => {
    wasReady ||= (await readiness()).ready
    const draining = isDraining()
    const started = wasReady && !draining
    return reply.code(started ? 200 : 503).send({ started, draining })
  })

  app.get('/readyz', async (_request, reply) => {
    const state = await readiness()
    const upstreamStates = [...(await upstreams())].map(([name, why]) => [name, why ?? 'ok'])
    return reply
      .code(state.ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ...state, upstreams: Object.fromEntries(upstreamStates) })
  })
}

async function stateOf(probe: () => Promise<unknown>): Promise<string> {
  const timeout = wait(PROBE_MS, 'no answer in time', { ref: false })
  return Promise.race([probe().then(() => 'ok', networkReason), timeout])
}
