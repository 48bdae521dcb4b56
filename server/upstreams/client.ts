// The calls that the gateway itself makes: JSON over the pools, with a time limit, bounded retries for GET and a
// second try with a new token after a 401. Which paths are called stands in the file of each API.
import { setTimeout as wait } from 'node:timers/promises'
import type { Api } from '../config.ts'
import { Problem, problems } from '../errors.ts'
import { sliceArray } from './array-slices.ts'
import { answerProblem, connectionProblem, isPassing, UNAUTHORIZED } from './failures.ts'
import type { Upstreams } from './pools.ts'
import type { Trip } from './trip.ts'
import { createTurns, type Turns } from './turns.ts'

/** At most two further attempts, after about 100 and 200 ms. */
const RETRIES = 2
const RETRY_STEP_MS = 100
/** An answer larger than this is not read: a page of 1,000 devices takes about half a megabyte. */
const ANSWER_MAX_BYTES = 32 * 1024 * 1024
/** An answer larger than this is parsed when its turn comes. */
const AT_ONCE_MAX_BYTES = 64 * 1024

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
  /** The same, read as soon as it is parsed; returns what `read` made of it. */
  getRead<T>(
    api: Api,
    path: string,
    bearer: Bearer,
    read: (json: unknown) => T,
    signal?: AbortSignal
  ): Promise<T>
  /** GETs a JSON array of any length and hands it on in slices; returns what `work` made of each, in order. */
  getSlices<T>(
    api: Api,
    path: string,
    bearer: Bearer,
    work: (elements: unknown[]) => T,
    signal?: AbortSignal
  ): Promise<T[]>
}

type Body = AsyncIterable<Buffer>
type Read<T> = (body: Body) => Promise<T>

export function createUpstreamClient(
  upstreams: Upstreams,
  timeoutMs: number,
  turns: Turns = createTurns()
): UpstreamClient {
  async function attempt<T>(
    api: Api,
    path: string,
    token: string,
    trip: Trip | undefined,
    read: Read<T>,
    signal: AbortSignal | undefined
  ): Promise<T> {
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
      if (statusCode >= 400) throw answerProblem(statusCode, parse(await readUpTo(ANSWER_MAX_BYTES, body)))
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

  async function withFreshToken<T>(
    api: Api,
    path: string,
    bearer: Bearer,
    read: Read<T>,
    signal?: AbortSignal
  ): Promise<T> {
    const token = await bearer.accessToken()
    try {
      return await attempt(api, path, token, bearer.trip, read, signal)
    } catch (error) {
      if (!(error instanceof Problem) || error.id !== UNAUTHORIZED) throw error
      const other = await bearer.replaceToken(token)
      if (other === null) throw error
      return attempt(api, path, other, bearer.trip, read, signal)
    }
  }

  async function call<T>(
    api: Api,
    path: string,
    bearer: Bearer,
    read: Read<T>,
    signal?: AbortSignal
  ): Promise<T> {
    for (let retry = 0; ; retry += 1) {
      try {
        return await withFreshToken(api, path, bearer, read, signal)
      } catch (error) {
        if (!(error instanceof Problem) || !isPassing(error) || retry === RETRIES || signal?.aborted)
          throw error
        await wait(RETRY_STEP_MS * (retry + Math.random()))
      }
    }
  }

  async function readJson<T>(body: Body, read: (json: unknown) => T): Promise<T> {
    const bytes = await readUpTo(ANSWER_MAX_BYTES, body)
    const work = () => {
      const json = parse(bytes)
      if (json === undefined) throw problems.upstreamGarbled()
      return read(json)
    }
    return bytes.length > AT_ONCE_MAX_BYTES ? turns.take(work) : work()
  }

  return {
    get: (api, path, bearer, signal) =>
      call(api, path, bearer, (body) => readJson(body, (json) => json), signal),
    getRead: (api, path, bearer, read, signal) =>
      call(api, path, bearer, (body) => readJson(body, read), signal),
    getSlices: (api, path, bearer, work, signal) =>
      call(api, path, bearer, (body) => sliceArray(body, work, turns), signal)
  }
}

/** Throws a 502 problem for more than that, and reads no further. */
async function readUpTo(maxBytes: number, body: Body): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw problems.upstreamGarbled()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
