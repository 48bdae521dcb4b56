// The connections to the upstream APIs: one verified-TLS pool for each API, with time-outs, an in-flight cap and a
// bounded wait for a connection, so that a hanging upstream fails alone. What is sent over them is decided elsewhere.
import { Pool } from 'undici'
import { APIS, type Api, type Config } from '../../config/settings.ts'
import { LIMITS } from '../../http/limits.ts'
import { NO_RECORDER, type Recorder } from '../../observability/recorder.ts'
import type { RequestTrace } from '../../observability/trace.ts'
import type { Log } from '../../types.ts'
import { createSemaphore } from './semaphore.ts'

/** Calls under way for each connection, with the one that it carries, before further ones are refused. */
export const IN_FLIGHT_PER_CONNECTION = 4

export interface Upstream {
  readonly origin: string
  /** Path prefix of the configured address, without a trailing slash. */
  readonly basePath: string
  readonly pool: Pool
  /**
   * Resolves with how to leave, as soon as there is a connection. Throws a 503 problem when there is none in time or too
   * many wait already, and what an aborted `signal` stands for.
   */
  enter(trace?: RequestTrace, signal?: AbortSignal, call?: CallTold): Promise<Leave>
}

/** What the log says of a call. */
export interface CallTold {
  method: string
  /** Without its query, which may hold anything. */
  path: string
}

/** Told with the status that was answered; without one, there was no answer. Only the first time counts. */
export type Leave = (status?: number) => void

export interface Upstreams {
  of(api: Api): Upstream
  close(): Promise<void>
}

/**
 * Opens a pool for each API, also where several have one address: one that hangs takes no place from the others.
 * @param waitMs how long a call waits for a connection, at most
 */
export function openUpstreams(
  config: Config,
  recorder: Recorder = NO_RECORDER,
  waitMs = LIMITS.connectionWaitMs,
  log?: Log
): Upstreams {
  const byApi = new Map(APIS.map((api) => [api, openUpstream(api, config, recorder, waitMs, log)]))
  return {
    of: (api) => byApi.get(api) as Upstream,
    close: async () => {
      await Promise.all([...byApi.values()].map((upstream) => upstream.pool.destroy()))
    }
  }
}

function openUpstream(api: Api, config: Config, recorder: Recorder, waitMs: number, log?: Log): Upstream {
  const url = new URL(config.UPSTREAMS[api])
  const connections = config.UPSTREAM_CONNECTIONS
  // The pool's own queue is bounded in no way: nothing is given to it for which there is no connection.
  const calls = createSemaphore({
    permits: connections,
    waiters: connections * (IN_FLIGHT_PER_CONNECTION - 1),
    waitMs: Math.min(waitMs, config.UPSTREAM_TIMEOUT_MS)
  })
  const observe = recorder.upstream(api, () => calls.count)
  return {
    origin: url.origin,
    basePath: url.pathname.replace(/\/$/, ''),
    pool: new Pool(url.origin, {
      connections,
      pipelining: 1,
      headersTimeout: config.UPSTREAM_TIMEOUT_MS,
      bodyTimeout: config.UPSTREAM_TIMEOUT_MS,
      connect: { timeout: Math.min(5_000, config.UPSTREAM_TIMEOUT_MS), rejectUnauthorized: true }
    }),
    async enter(trace, signal, call) {
      trace?.begin()
      const begun = performance.now()
      await calls.acquire(signal).catch((error) => {
        trace?.end()
        throw error
      })
      let left = false
      return (status) => {
        if (left) return
        left = true
        calls.release()
        trace?.end()
        const ms = performance.now() - begun
        observe(status, ms)
        log?.debug({ requestId: trace?.requestId, api, ...call, status, ms: Math.round(ms) }, 'upstream call')
      }
    }
  }
}
