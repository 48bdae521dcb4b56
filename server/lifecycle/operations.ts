// Serves health and metrics on a port for operators.
import Fastify, { type FastifyInstance } from 'fastify'
import type { Config } from '../config/settings.ts'
import { authorityRemedy } from '../doctor/authority.ts'
import { redisRemedy } from '../doctor/redis.ts'
import { probeUpstreams } from '../doctor/upstreams.ts'
import { LIMITS, serverOptions } from '../http/limits.ts'
import { rawBodies } from '../http/raw-bodies.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Clock } from '../types.ts'
import { watchedCertificates } from './certificates.ts'
import { healthRoutes, readinessOf } from './health.ts'

interface Options {
  app: FastifyInstance
  config: Config
  metrics: Metrics
  clock: Clock
}

const UPSTREAM_PROBE_MS = 1_000
/** Minimum time between two probes of the upstreams: load balancers call /readyz often. */
const UPSTREAMS_KNOWN_MS = 15_000

/** Builds the operations server, ready to listen. */
export async function buildOperations({ app, config, metrics, clock }: Options): Promise<FastifyInstance> {
  // A scrape that is running at the end keeps no connection open.
  const operations = Fastify({ ...serverOptions(LIMITS), logger: false, forceCloseConnections: true })
  await operations.register(rawBodies)

  let lastProbe: ReturnType<typeof probeUpstreams> | null = null
  let probedAt = Number.NEGATIVE_INFINITY
  function upstreams(): ReturnType<typeof probeUpstreams> {
    if (lastProbe !== null && Math.abs(clock() - probedAt) < UPSTREAMS_KNOWN_MS) return lastProbe
    probedAt = clock()
    lastProbe = probeUpstreams(config, UPSTREAM_PROBE_MS)
    return lastProbe
  }

  const redis = () =>
    app.probes.store().catch((error) => {
      throw new Error(redisRemedy(error, config))
    })
  const authority = () =>
    app.probes.authority().catch((error) => {
      throw new Error(authorityRemedy(error))
    })
  const probes = { redis, authority }
  const readiness = () => readinessOf(probes, app.draining.begun)
  metrics.watchCertificates(watchedCertificates(config, clock))
  metrics.watchReadiness(async () => (await readiness()).ready)
  // Asks at each scrape: otherwise nothing notices an authority that is away while nobody signs in.
  metrics.watchAuthority(async () => (await readinessOf({ authority: app.probes.authorityNow }, false)).ready)
  await operations.register(healthRoutes, { readiness, isDraining: () => app.draining.begun, upstreams })
  operations.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.render())
  )
  return operations
}
