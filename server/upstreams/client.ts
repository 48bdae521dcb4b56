// The calls that the gateway itself makes: JSON over the pools, with a time limit, bounded retries for GET and a
// second try with a new token after a 401. Which paths are called stands in the file of each API.
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

export interface UpstreamClient {
  /** GETs JSON. Throws a Problem: the upstream's own refusal, or that it could not be reached, understood or awaited. */
  get(api: Api, path: string, bearer: Bearer, signal?: AbortSignal): Promise<unknown>
}

export function createUpstreamClient(upstreams: Upstreams, timeoutMs: number): UpstreamClient {
  async function attempt(
    api: Api,
    path: string,
    token: string,
    trip: Trip | undefined,
    signal: AbortSignal | undefined
  ): Promise<unknown> {
    const upstream = upstreams.of(api)
    const leave = upstream.enter(trip)
    const headers: Record<string, string> = { accept: 'application/json', authorization: `Bearer ${token}` }
    trip?.writeTrace(headers)
    let answered: number | undefined
    const limit = AbortSignal.timeout(timeoutMs)
    try {
      const { statusCode, body } = await upstream.pool.request({
        method: 'GET',
        path: upstream.basePath + path,
        headers,
        signal: signal ? AbortSignal.any([signal, limit]) : limit
      })
      answered = statusCode
      const json = parse(await readUpTo(ANSWER_MAX_BYTES, body))
      if (statusCode >= 400) throw answerProblem(statusCode, json)
      if (statusCode >= 300 || json === undefined) throw problems.upstreamGarbled()
      return json
    } catch (error) {
      throw connectionProblem(error)
    } finally {
      leave(answered)
    }
  }

  async function withFreshToken(
    api: Api,
    path: string,
    bearer: Bearer,
    signal?: AbortSignal
  ): Promise<unknown> {
    const token = await bearer.accessToken()
    try {
      return await attempt(api, path, token, bearer.trip, signal)
    } catch (error) {
      if (!(error instanceof Problem) || error.id !== UNAUTHORIZED) throw error
      const other = await bearer.replaceToken(token)
      if (other === null) throw error
      return attempt(api, path, other, bearer.trip, signal)
    }
  }

  return {
    async get(api, path, bearer, signal) {
      for (let retry = 0; ; retry += 1) {
        try {
          return await withFreshToken(api, path, bearer, signal)
        } catch (error) {
          if (!(error instanceof Problem) || !isPassing(error) || retry === RETRIES || signal?.aborted)
            throw error
          await wait(RETRY_STEP_MS * (retry + Math.random()))
        }
      }
    }
  }
}

/** Throws a 502 problem for more than that, and reads no further. */
async function readUpTo(maxBytes: number, body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw problems.upstreamGarbled()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
