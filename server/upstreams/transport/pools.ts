// Opens the connections to the upstream APIs: for each API a pool with verified TLS, timeouts, a limit of calls in flight, a
// limit per caller, and a maximum wait. A hanging upstream does not block the others, and no caller takes all connections.
import { Pool } from 'undici'
import { APIS, type Api, type Config } from '../../config/settings.ts'
import { LIMITS } from '../../http/limits.ts'
import type { Recorder } from '../../observability/recorder.ts'
import { beginCall, type StartSpan } from '../../observability/trace.ts'
import type { Caller, Log } from '../../types.ts'
import { createSemaphore, createSemaphores, type Priority } from './semaphore.ts'

/** Maximum number of running and waiting calls per connection. Further calls are refused. */
export const IN_FLIGHT_PER_CONNECTION = 4
/** A caller may use one of four shares of the connections: 16 of 64. A screen makes about ten calls at a time. */
const SHARES = 4

/** Names the caller whose share of the connections a call uses. */
export const connectionShare = ({ kind, clientId, user }: Pick<Caller, 'kind' | 'clientId' | 'user'>) =>
  `${kind} ${clientId} ${user.id}`

export interface Upstream {
  readonly origin: string
  /** Path prefix of the configured address, without a trailing slash. */
  readonly basePath: string
  readonly pool: Pool
  /** Time limit of a call, in milliseconds. */
  readonly timeoutMs: number
  /**
   * Waits for a connection. Throws a 503 problem after the maximum wait or if too many calls wait already. If `signal` is
   * aborted, throws the problem that matches its reason.
   * @param caller limits this caller to a share of the connections; none for calls on which other callers rely
   */
  enter(call: LoggedCall, signal?: AbortSignal, caller?: string, priority?: Priority): Promise<EnteredCall>
}

/** A call that has a connection. */
export interface EnteredCall {
  /** Writes the headers that name the call's request and trace. */
  writeHeaders(headers: Record<string, string>): void
  /** Frees the connection; further calls have no effect. @param status of the answer; undefined without an answer */
  leave(status?: number): void
}

/** The log fields of a call. */
export interface LoggedCall {
  method: string
  /** The path without its query, which may contain private data, and without secrets. */
  path: string
}

export type Upstreams = ReturnType<typeof openUpstreams>

/**
 * Opens a pool for each API, even if several share an address: a hanging API takes no connections from the others.
 * @param waitMs maximum wait of a call for a connection
 */
export function openUpstreams(
  config: Config,
  recorder: Recorder,
  waitMs = LIMITS.connectionWaitMs,
  log?: Log,
  startSpan?: StartSpan
) {
  const open = (api: Api) => openUpstream(api, config, recorder, waitMs, log, startSpan)
  const byApi = new Map(APIS.map((api) => [api, open(api)]))
  return {
    of: (api: Api): Upstream => byApi.get(api) as Upstream,
    close: async (): Promise<void> => {
      await Promise.all([...byApi.values()].map((upstream) => upstream.pool.destroy()))
    }
  }
}

function openUpstream(
  api: Api,
  config: Config,
  recorder: Recorder,
  waitMs: number,
  log?: Log,
  startSpan?: StartSpan
): Upstream {
  const url = new URL(config.UPSTREAMS[api])
  const { UPSTREAM_CONNECTIONS: connections, UPSTREAM_TIMEOUT_MS: timeoutMs } = config
  const bounds = (permits: number) => ({
    permits,
    waiters: permits * (IN_FLIGHT_PER_CONNECTION - 1),
    waitMs: Math.min(waitMs, timeoutMs)
  })
  // The pool's own queue has no limit, so send a call to the pool only when a connection is free.
  const calls = createSemaphore(bounds(connections))
  const shareOf = createSemaphores(bounds(Math.ceil(connections / SHARES)))
  const observe = recorder.upstream(api, calls)
  return {
    origin: url.origin,
    basePath: url.pathname.replace(/\/$/, ''),
    pool: new Pool(url.origin, {
      connections,
      pipelining: 1,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connect: { timeout: Math.min(5_000, timeoutMs), rejectUnauthorized: true }
    }),
    timeoutMs,
    async enter(call, signal, caller, priority) {
      const { method, path } = call
      const traced = beginCall(
        `${method} ${api}`,
        { 'http.request.method': method, 'url.path': path, 'server.address': url.hostname },
        startSpan
      )
      const startedAt = performance.now()
      const share = caller === undefined ? undefined : shareOf(caller)
      try {
        await share?.acquire(signal)
        await calls.acquire(signal, priority).catch((error) => {
          share?.release()
          throw error
        })
      } catch (error) {
        traced.end(undefined)
        throw error
      }
      let isReleased = false
      return {
        writeHeaders: traced.writeHeaders,
        leave(status) {
          if (isReleased) return
          isReleased = true
          calls.release()
          share?.release()
          traced.end(status)
          const ms = performance.now() - startedAt
          observe(status, ms)
          log?.debug({ ...traced.ids, api, ...call, status, ms: Math.round(ms) }, 'upstream call')
        }
      }
    }
  }
}
