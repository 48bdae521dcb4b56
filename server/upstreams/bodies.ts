// The reading calls that the gateway itself makes, up to the body: over the pools, with a time limit, bounded retries and a
// second try with a new token after a 401.
import { setTimeout as wait } from 'node:timers/promises'
import type { Api } from '../config.ts'
import { Problem, problems } from '../errors.ts'
import { answerProblem, connectionProblem, isPassing, UNAUTHORIZED } from './failures.ts'
import type { Upstreams } from './pools.ts'
import type { Trip } from './trip.ts'

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
  trip?: Trip
}

export interface Call {
  api: Api
  path: string
  /** The JSON of a search: then it is a POST, which changes nothing either. */
  body?: unknown
  bearer: Bearer
  signal?: AbortSignal | undefined
}

export type Body = AsyncIterable<Buffer>

/** Where the bodies of answers come from. */
export interface Bodies {
  /**
   * Hands the body of an answer to `read`, as it comes, and returns what that returns; after a failure once more.
   * Throws a Problem: the upstream's own refusal, or that it could not be reached, understood or awaited.
   */
  open<T>(call: Call, read: (body: Body) => Promise<T>): Promise<T>
}

export function createBodies(upstreams: Upstreams, timeoutMs: number): Bodies {
  async function attempt<T>(
    { api, path, body: asked, bearer, signal }: Call,
    token: string,
    read: (body: Body) => Promise<T>
  ): Promise<T> {
    const { trip } = bearer
    const upstream = upstreams.of(api)
    const leave = await upstream.enter(trip, signal)
    const headers: Record<string, string> = { accept: 'application/json', authorization: `Bearer ${token}` }
    trip?.writeTrace(headers)
    if (asked !== undefined) headers['content-type'] = 'application/json'
    let answered: number | undefined
    const limit = AbortSignal.timeout(timeoutMs)
    try {
      const { statusCode, body } = await upstream.pool.request({
        ...(asked === undefined ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(asked) }),
        path: upstream.basePath + path,
        headers,
        signal: signal ? AbortSignal.any([signal, limit]) : limit
      })
      answered = statusCode
      if (statusCode >= 400) {
        const problem = answerProblem(statusCode, parse(await readWhole(body)))
        problem.options.upstreamStatus = statusCode
        throw problem
      }
      if (statusCode >= 300) {
        await body.dump()
        throw problems.upstreamGarbled()
      }
      return await read(body)
    } catch (error) {
      throw connectionProblem(error)
    } finally {
      leave(answered)
    }
  }

  async function withFreshToken<T>(call: Call, read: (body: Body) => Promise<T>): Promise<T> {
    const token = await call.bearer.accessToken()
    try {
      return await attempt(call, token, read)
    } catch (error) {
      if (!(error instanceof Problem) || error.id !== UNAUTHORIZED) throw error
      const other = await call.bearer.replaceToken(token)
      if (other === null) throw error
      return attempt(call, other, read)
    }
  }

  return {
    async open(call, read) {
      for (let retry = 0; ; retry += 1) {
        try {
          return await withFreshToken(call, read)
        } catch (error) {
          if (!(error instanceof Problem) || !isPassing(error)) throw error
          if (retry === RETRIES || call.signal?.aborted) throw error
          await wait(RETRY_STEP_MS * (retry + Math.random()))
        }
      }
    }
  }
}

/** Throws a 502 problem for more than a list's page can be, and reads no further. */
export async function readWhole(body: Body): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > ANSWER_MAX_BYTES) throw problems.upstreamGarbled()
    chunks.push(chunk)
  }
  return chunks
}

/** Throws a 502 problem for what is no JSON. */
export function parseJson(chunks: readonly Buffer[]): unknown {
  const json = parse(chunks)
  if (json === undefined) throw problems.upstreamGarbled()
  return json
}

/** Undefined for what is no JSON. */
function parse(chunks: readonly Buffer[]): unknown {
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
}
