// Makes the gateway's own upstream calls, with a time limit, bounded retries, and a second try with a new token after a 401.
// The paths are in the other files of this folder, one per API.
import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Api } from '../config/settings.ts'
import { Problem, problems } from '../errors.ts'
import { outsideRequests } from '../observability/trace.ts'
import { parseJson } from './parse-json.ts'
import { errorBody } from './transport/error-body.ts'
import { answerProblem, connectionProblem, isUnreachable, UNAUTHORIZED } from './transport/failures.ts'
import type { Upstreams } from './transport/pools.ts'
import type { Priority } from './transport/semaphore.ts'

/** Maximum number of further attempts, after about 100 and 200 ms. */
const RETRIES = 2
const RETRY_STEP_MS = 100
/** Maximum size of a body that another thread parses. A page of 1,000 devices takes about half a megabyte. */
const BODY_MAX_BYTES = 32 * 1024 * 1024
/**
 * Maximum size of an answer that the main thread parses. In the worst case, an object with 50,000 members, parsing takes 20 ms.
 * A page of 200 alarms has 100 KB and 6,000 values.
 */
const ANSWER_MAX_BYTES = 2 * 1024 * 1024
const ANSWER_LIMITS = { maxDepth: 32, maxValues: 50_000 }
/** Bodies up to this size are parsed within a millisecond. */
const SMALL_BYTES = 16 * 1024

/** The source of a call's token. */
export interface Bearer {
  accessToken(): Promise<string>
  /** Returns another token after an upstream refused this one, or null if there is no other. */
  replaceToken(refused: string): Promise<string | null>
  /** Throws if the token may no longer be used. Runs before each call is sent, because the call may have waited in a queue. */
  assertSignedIn?(): Promise<void>
  /** Names the caller whose share of an API's connections the calls use, see `connectionShare`. */
  share?: string
}

/** Each function throws a Problem: the upstream's refusal, or a failure of the connection or the answer. */
export interface UpstreamClient {
  /** GETs and parses JSON of at most 2 MB. Fetch longer lists in pages (hal.ts). */
  get(api: Api, path: string, bearer: Bearer, signal?: AbortSignal): Promise<unknown>
  /** Like `get`, but sends `body` by POST. For searches. */
  search(api: Api, path: string, body: object, bearer: Bearer, signal?: AbortSignal): Promise<unknown>
  /** GETs a long body, perhaps compressed, that another thread parses. */
  getBody(api: Api, path: string, bearer: Bearer, signal?: AbortSignal, maxBytes?: number): Promise<Body>
  /** Like `getBody`, but sends `body` by POST. */
  searchBody(
    api: Api,
    path: string,
    body: object,
    bearer: Bearer,
    signal: AbortSignal,
    maxBytes: number
  ): Promise<Body>
}

/** The customer of a call, and the caller whose token the call uses. */
export interface CustomerSource {
  client: UpstreamClient
  customerId: string
  bearer: Bearer
  signal?: AbortSignal
}

/** A body that is not yet parsed. */
export interface Body {
  /** Transferable to another thread. */
  pieces: ArrayBuffer[]
  isGzip: boolean
}

interface Call {
  api: Api
  path: string
  /** The JSON of a search. A call with a body is sent by POST. */
  body?: object
  bearer: Bearer
  signal?: AbortSignal | undefined
  maxBytes?: number
  /** Whether the answer may come compressed. */
  takesGzip?: boolean
}

/**
 * Whom the calls of a client are for. Only those for one caller use the caller's share of the connections: a `shared` answer
 * is for others too, and nobody waits for one in the background.
 */
export type Purpose = 'caller' | 'shared' | 'background'

/** @param timeoutMs time limit of each attempt, including its body */
export function createUpstreamClient(
  upstreams: Upstreams,
  timeoutMs: number,
  purpose: Purpose = 'caller'
): UpstreamClient {
  const priority: Priority = purpose === 'background' ? 'background' : 'foreground'

  async function attempt(
    { api, path, body: query, bearer, signal, maxBytes = ANSWER_MAX_BYTES, takesGzip = false }: Call,
    token: string
  ): Promise<Body> {
    const upstream = upstreams.of(api)
    const logged = { method: query === undefined ? 'GET' : 'POST', path: path.split('?', 1)[0] ?? '' }
    const share = purpose === 'caller' ? bearer.share : undefined
    const call = await upstream.enter(logged, signal, share, priority)
    const headers: Record<string, string> = { accept: 'application/json', authorization: `Bearer ${token}` }
    call.writeHeaders(headers)
    if (query !== undefined) headers['content-type'] = 'application/json'
    if (takesGzip) headers['accept-encoding'] = 'gzip'
    let status: number | undefined
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      await bearer.assertSignedIn?.()
      const answer = await upstream.pool.request({
        ...(query === undefined ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(query) }),
        path: upstream.basePath + path,
        headers,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout
      })
      const { statusCode, body } = answer
      status = statusCode
      if (statusCode >= 400) {
        const problem = answerProblem(statusCode, await errorBody(answer))
        problem.options.upstreamStatus = statusCode
        throw problem
      }
      const coding = String(answer.headers['content-encoding'] ?? 'identity').toLowerCase()
      const isGzip = takesGzip && coding === 'gzip'
      if (statusCode >= 300 || (coding !== 'identity' && !isGzip)) {
        await body.dump()
        throw problems.upstreamGarbled()
      }
      return { pieces: await readWhole(body, maxBytes), isGzip }
    } catch (error) {
      throw connectionProblem(error)
    } finally {
      call.leave(status)
    }
  }

  async function withFreshToken(call: Call): Promise<Body> {
    const token = await call.bearer.accessToken()
    try {
      return await attempt(call, token)
    } catch (error) {
      if (!(error instanceof Problem) || error.id !== UNAUTHORIZED) throw error
      const newToken = await call.bearer.replaceToken(token)
      if (newToken === null) throw error
      return attempt(call, newToken)
    }
  }

  /** A call in the background serves many requests, so it has an id of its own. */
  const fetchBody = (call: Call): Promise<Body> =>
    priority === 'background' ? outsideRequests(() => fetchWithRetries(call)) : fetchWithRetries(call)

  async function fetchWithRetries(call: Call): Promise<Body> {
    for (let retry = 0; ; retry += 1) {
      try {
        return await withFreshToken(call)
      } catch (error) {
        if (!(error instanceof Problem) || !isUnreachable(error)) throw error
        if (retry === RETRIES || call.signal?.aborted) throw error
        await wait(RETRY_STEP_MS * (retry + Math.random()))
      }
    }
  }

  // Parse one large answer per turn of the event loop, because the pages of a list may arrive together.
  const turns = pLimit(1)
  async function fetchJson(call: Call): Promise<unknown> {
    const { pieces } = await fetchBody(call)
    const json = Buffer.concat(pieces.map((piece) => Buffer.from(piece)))
    if (json.length <= SMALL_BYTES) return parseJson(json, ANSWER_LIMITS)
    return turns(async () => {
      await setImmediate()
      return parseJson(json, ANSWER_LIMITS)
    })
  }

  return {
    get: (api, path, bearer, signal) => fetchJson({ api, path, bearer, signal }),
    search: (api, path, body, bearer, signal) => fetchJson({ api, path, body, bearer, signal }),
    getBody: (api, path, bearer, signal, maxBytes = BODY_MAX_BYTES) =>
      fetchBody({ api, path, bearer, signal, maxBytes, takesGzip: true }),
    searchBody: (api, path, body, bearer, signal, maxBytes) =>
      fetchBody({ api, path, body, bearer, signal, maxBytes, takesGzip: true })
  }
}

/** Throws a 502 problem if the body exceeds `maxBytes`. */
async function readWhole(body: AsyncIterable<Buffer>, maxBytes: number): Promise<ArrayBuffer[]> {
  const pieces: ArrayBuffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw problems.upstreamTooLarge(`more than ${maxBytes} bytes`)
    // Copy the chunk: chunks share memory, so they cannot be transferred to another thread.
    pieces.push(new Uint8Array(chunk).buffer)
  }
  return pieces
}
