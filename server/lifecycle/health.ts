// GET /healthz, /startedz and /readyz, for orchestrators and load balancers: is the process alive, did it start well, and can
// it take calls.
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { networkReason } from '../config/remedies.ts'

interface Options {
  readiness: () => Promise<Readiness>
  /** By address, null for a reachable one. Shown only: an upstream that is away does not make the gateway unready. */
  upstreams: () => Promise<Record<string, string | null>>
}

export interface Readiness {
  ready: boolean
  draining: boolean
  /** `ok`, or why not, by what was asked. */
  checks: Record<string, string>
}

/** A probe may take this long: load balancers ask every few seconds. */
const PROBE_MS = 2_000

/** @param needed what calls cannot do without; each rejects when it is not there */
export async function readinessOf(
  needed: Record<string, () => Promise<unknown>>,
  draining: boolean
): Promise<Readiness> {
  const states = await Promise.all(
    Object.entries(needed).map(async ([name, probe]) => [name, await stateOf(probe)] as const)
  )
  const ready = !draining && states.every(([, state]) => state === 'ok')
  return { ready, draining, checks: Object.fromEntries(states) }
}

export async function healthRoutes(app: FastifyInstance, { readiness, upstreams }: Options): Promise<void> {
  app.get('/healthz', async () => ({ status: 'alive' }))

  // A replica that never was ready has wrong settings, and an update with it must not go on. One that was is left alone:
  // a restart mends neither Redis nor the authority.
  let wasReady = false
  app.get('/startedz', async (_request, reply) => {
    wasReady ||= (await readiness()).ready
    return reply.code(wasReady ? 200 : 503).send({ started: wasReady })
  })

  app.get('/readyz', async (_request, reply) => {
    const state = await readiness()
    const reached = Object.entries(await upstreams()).map(([name, why]) => [name, why ?? 'ok'])
    return reply
      .code(state.ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ...state, upstreams: Object.fromEntries(reached) })
  })
}

async function stateOf(probe: () => Promise<unknown>): Promise<string> {
  const asked = async () => {
    await probe()
    return 'ok'
  }
  const late = wait(PROBE_MS, 'no answer in time', { ref: false })
  return Promise.race([asked().catch(networkReason), late])
}
