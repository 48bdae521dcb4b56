// What operators see of a gateway, on a port of their own: health and metrics. Nothing here is for browsers.
import Fastify, { type FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { LIMITS, serverOptions } from './limits.ts'
import { healthRoutes } from './plugins/health.ts'
import type { Metrics } from './plugins/metrics.ts'
import { rawBodies } from './plugins/raw-bodies.ts'
import type { Clock } from './types.ts'
import { upstreamAddresses, whyUnreachable } from './upstreams/reachable.ts'

interface Options {
  /** The gateway that is told about. */
  app: FastifyInstance
  config: Config
  metrics: Metrics
  clock: Clock
}

const UPSTREAM_PROBE_MS = 1_000
/** Balancers ask often; upstreams are not to feel it. */
const UPSTREAMS_KNOWN_MS = 15_000

/** Builds it, ready to listen. */
export async function buildOperations({ app, config, metrics, clock }: Options): Promise<FastifyInstance> {
  const operations = Fastify({ ...serverOptions(LIMITS), logger: false })
  await operations.register(rawBodies)

  let asked: Promise<Record<string, string | null>> | null = null
  let askedAt = Number.NEGATIVE_INFINITY
  function upstreams(): Promise<Record<string, string | null>> {
    if (asked !== null && clock() - askedAt < UPSTREAMS_KNOWN_MS) return asked
    askedAt = clock()
    const addresses = [...upstreamAddresses(config).keys()]
    const probes = addresses.map(
      async (address) => [address, await whyUnreachable(address, UPSTREAM_PROBE_MS)] as const
    )
    asked = Promise.all(probes).then(Object.fromEntries)
    return asked as Promise<Record<string, string | null>>
  }

  await operations.register(healthRoutes, {
    needed: { redis: app.probes.store, authority: app.probes.authority },
    draining: () => app.draining.begun,
    upstreams
  })
  operations.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.render())
  )
  return operations
}
