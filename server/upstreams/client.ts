// The calls that the gateway itself makes, up to the body: over the pools, with a time limit, bounded retries and a second
// try with a new token after a 401. Which paths are called stands in the file of each API.
import { setTimeout as wait } from 'node:timers/promises'
import type { Api } from '../config/settings.ts'
import { Problem, problems } from '../errors.ts'
import type { RequestTrace } from '../observability/trace.ts'
import { errorBody } from './transport/error-body.ts'
import { answerProblem, connectionProblem, isPassing, UNAUTHORIZED } from './transport/failures.ts'
import type { Upstreams } from './transport/pools.ts'

/** At most two further attempts, after about 100 and 200 ms. */
const RETRIES = 2
const RETRY_STEP_MS = 100
/** An answer larger than this is not read: a page of 1,000 devices takes about half a megabyte. */
const ANSWER_MAX_BYTES = 32 * 1024 * 1024

/** Whose token a call carries. */
export interface Bearer {
  accessToken(): Promise<string>
  /** Another token after an upstream refused this one; null when there is none. */
  replaceToken(refused: string): Promise<string | null>
  /** The request that the call is made for, where it is for one. */
  trace?: RequestTrace
}

/** Each throws a Problem: the upstream's own refusal, or that it could not be reached, understood or awaited. */
export interface UpstreamClient {
  /** GETs JSON. */
  get(api: Api, path: string, bearer: Bearer, signal?: AbortSignal): Promise<unknown>
  /** The same by POST, for searches. */
  search(api: Api, path: string, body: object, bearer: Bearer, signal?: AbortSignal): Promise<unknown>
  /** GETs a long body, to be read by another thread. */
  getBody(api: Api, path: string, bearer: Bearer, signal?: AbortSignal, maxBytes?: number): Promise<Body>
}

/** A body as it came. */
export interface Body {
  /** They can be transferred to another thread. */
  pieces: ArrayBuffer[]
  isGzip: boolean
}

interface Call {
  api: Api
  path: string
  /** The JSON of a search: then it is a POST, which changes nothing either. */
  body?: object
  bearer: Bearer
  signal?: AbortSignal | undefined
  maxBytes?: number | undefined
  /** Whether the answer may come compressed. */
  takesGzip?: boolean
}

/** @param timeoutMs of each attempt, to the end of its body */
export function createUpstreamClient(upstreams: Upstreams, timeoutMs: number): UpstreamClient {
  async function attempt(
    { api, path, body: asked, bearer, signal, maxBytes, takesGzip = false }: Call,
    token: string
  ): Promise<Body> {
    const { trace } = bearer
    const upstream = upstreams.of(api)
    const logged = { method: asked === undefined ? 'GET' : 'POST', path: path.split('?', 1)[0] ?? '' }
    const leave = await upstream.enter(trace, signal, logged)
    const headers: Record<string, string> = { accept: 'application/json', authorization: `Bearer ${token}` }
    trace?.writeHeaders(headers)
    if (asked !== undefined) headers['content-type'] = 'application/json'
    if (takesGzip) headers['accept-encoding'] = 'gzip'
    let answered: number | undefined
    const limit = AbortSignal.timeout(timeoutMs)
    try {
      const answer = await upstream.pool.request({
        ...(asked === undefined ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(asked) }),
        path: upstream.basePath + path,
        headers,
        signal: signal ? AbortSignal.any([signal, limit]) : limit
      })
      const { statusCode, body } = answer
      answered = statusCode
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
      leave(answered)
    }
  }

  async function withFreshToken(call: Call): Promise<Body> {
    const token = await call.bearer.accessToken()
    try {
      return await attempt(call, token)
    } catch (error) {
      if (!(error instanceof Problem) || error.id !== UNAUTHORIZED) throw error
      const other = await call.bearer.replaceToken(token)
      if (other === null) throw error
      return attempt(call, other)
    }
  }

  async function fetchBody(call: Call): Promise<Body> {
    for (let retry = 0; ; retry += 1) {
      try {
        return await withFreshToken(call)
      } catch (error) {
        if (!(error instanceof Problem) || !isPassing(error)) throw error
        if (retry === RETRIES || call.signal?.aborted) throw error
        await wait(RETRY_STEP_MS * (retry + Math.random()))
      }
    }
  }

  return {
    get: async (api, path, bearer, signal) => parseJson(await fetchBody({ api, path, bearer, signal })),
    search: async (api, path, body, bearer, signal) =>
      parseJson(await fetchBody({ api, path, body, bearer, signal })),
    getBody: (api, path, bearer, signal, maxBytes) =>
      fetchBody({ api, path, bearer, signal, maxBytes, takesGzip: true })
  }
}

/** Throws a 502 problem for more than so many bytes, and reads no further. */
async function readWhole(body: AsyncIterable<Buffer>, maxBytes = ANSWER_MAX_BYTES): Promise<ArrayBuffer[]> {
  const pieces: ArrayBuffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw problems.upstreamGarbled()
    // A chunk shares its memory with others: only a copy can be given to another thread.
    pieces.push(new Uint8Array(chunk).buffer)
  }
  return pieces
}

/** Throws a 502 problem for what is no JSON. */
function parseJson({ pieces }: Body): unknown {
  try {
    return JSON.parse(Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString('utf8'))
  } catch {
    throw problems.upstreamGarbled()
  }
}
