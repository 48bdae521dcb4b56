// The connections to the upstream APIs: one verified-TLS pool for each API, with time-outs and an in-flight cap,
// so that a hanging upstream fails alone. What is sent over them is decided elsewhere.
import { Pool } from 'undici'
import { APIS, type Api, type Config } from '../config.ts'
import { problems } from '../errors.ts'
import { NO_TELEMETRY, type Telemetry } from '../telemetry.ts'
import type { Trip } from './trip.ts'

/** Calls under way for each connection before further ones are refused. */
export const IN_FLIGHT_PER_CONNECTION = 4

export interface Upstream {
  readonly origin: string
  /** Path prefix of the configured address, without a trailing slash. */
  readonly basePath: string
  readonly pool: Pool
  /** Takes a place among the calls under way and returns how to leave it. Throws a 503 problem when all are taken. */
  enter(trip?: Trip): Leave
}

/** Told with the status that was answered; without one, there was no answer. Only the first time counts. */
export type Leave = (status?: number) => void

export interface Upstreams {
  of(api: Api): Upstream
  close(): Promise<void>
}

/** Opens a pool for each API, also where several have one address: one that hangs takes no place from the others. */
export function openUpstreams(config: Config, telemetry: Telemetry = NO_TELEMETRY): Upstreams {
  const byApi = new Map(APIS.map((api) => [api, openUpstream(api, config, telemetry)]))
  return {
    of: (api) => byApi.get(api) as Upstream,
    close: async () => {
      await Promise.all([...byApi.values()].map((upstream) => upstream.pool.destroy()))
    }
  }
}

function openUpstream(api: Api, config: Config, telemetry: Telemetry): Upstream {
  const url = new URL(config.UPSTREAMS[api])
  const cap = config.UPSTREAM_CONNECTIONS * IN_FLIGHT_PER_CONNECTION
  let underWay = 0
  const observe = telemetry.upstream(api, () => underWay)
  return {
    origin: url.origin,
    basePath: url.pathname.replace(/\/$/, ''),
    pool: new Pool(url.origin, {
      connections: config.UPSTREAM_CONNECTIONS,
      pipelining: 1,
      headersTimeout: config.UPSTREAM_TIMEOUT_MS,
      bodyTimeout: config.UPSTREAM_TIMEOUT_MS,
      connect: { timeout: Math.min(5_000, config.UPSTREAM_TIMEOUT_MS), rejectUnauthorized: true }
    }),
    enter(trip) {
      if (underWay >= cap) throw problems.upstreamBusy()
      underWay += 1
      trip?.begin()
      const begun = performance.now()
      let left = false
      return (status) => {
        if (left) return
        left = true
        underWay -= 1
        trip?.end()
        observe(status, performance.now() - begun)
      }
    }
  }
}
