// What orchestrators and balancers ask: is the process alive, and may it be sent calls.
import type { FastifyInstance } from 'fastify'
import { reasonOf } from '../upstreams/reachable.ts'

interface Options {
  /** What calls cannot do without; each rejects when it is not there. */
  needed: Record<string, () => Promise<unknown>>
  draining: () => boolean
  /** Told, and not counted: one that is away fails its own calls alone. Null stands for reachable. */
  upstreams: () => Promise<Record<string, string | null>>
}

/** A probe that takes longer is answered for. Balancers ask every few seconds. */
const PROBE_MS = 2_000

export async function healthRoutes(app: FastifyInstance, options: Options): Promise<void> {
  const { needed, draining, upstreams } = options

  app.get('/healthz', async () => ({ status: 'alive' }))

  app.get('/readyz', async (_request, reply) => {
    const states = await Promise.all(
      Object.entries(needed).map(async ([name, probe]) => [name, await stateOf(probe)] as const)
    )
    const checks = Object.fromEntries(states)
    const ready = !draining() && states.every(([, state]) => state === 'ok')
    const reached = Object.entries(await upstreams()).map(([name, why]) => [name, why ?? 'ok'])
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ready, draining: draining(), checks, upstreams: Object.fromEntries(reached) })
  })
}

async function stateOf(probe: () => Promise<unknown>): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), PROBE_MS)
  })
  try {
    await Promise.race([probe(), late])
    return 'ok'
  } catch (error) {
    return reasonOf(error)
  } finally {
    clearTimeout(timer)
  }
}
