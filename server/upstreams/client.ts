// The JSON that the gateway itself reads from the upstreams. Which paths are called stands in the file of each API.
import type { Api } from '../config.ts'
import { problems } from '../errors.ts'
import { sliceArray } from './array-slices.ts'
import { type Bearer, type Bodies, type Body, parse, readWhole } from './bodies.ts'
import { createTurns, type Turns } from './turns.ts'

/** An answer larger than this is parsed when its turn comes. */
const AT_ONCE_MAX_BYTES = 64 * 1024

export interface UpstreamClient {
  /** GETs JSON. Throws a Problem: the upstream's own refusal, or that it could not be reached, understood or awaited. */
  get(api: Api, path: string, bearer: Bearer, signal?: AbortSignal): Promise<unknown>
  /** The same by POST, for searches. */
  search(api: Api, path: string, body: object, bearer: Bearer, signal?: AbortSignal): Promise<unknown>
  /** The same as `get`, read as soon as it is parsed; returns what `read` made of it. */
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
  /** What it reads from. */
  readonly bodies: Bodies
  /** One that reads from elsewhere. */
  over(bodies: Bodies): UpstreamClient
}

export function createUpstreamClient(bodies: Bodies, turns: Turns = createTurns()): UpstreamClient {
  async function readJson<T>(body: Body, read: (json: unknown) => T): Promise<T> {
    const bytes = await readWhole(body)
    const work = () => {
      const json = parse(bytes)
      if (json === undefined) throw problems.upstreamGarbled()
      return read(json)
    }
    return bytes.length > AT_ONCE_MAX_BYTES ? turns.take(work) : work()
  }

  return {
    get: (api, path, bearer, signal) =>
      bodies.open({ api, path, bearer, signal }, (body) => readJson(body, (json) => json)),
    search: (api, path, body, bearer, signal) =>
      bodies.open({ api, path, body, bearer, signal }, (answer) => readJson(answer, (json) => json)),
    getRead: (api, path, bearer, read, signal) =>
      bodies.open({ api, path, bearer, signal }, (body) => readJson(body, read)),
    getSlices: (api, path, bearer, work, signal) =>
      bodies.open({ api, path, bearer, signal }, (body) => sliceArray(body, work, turns)),
    bodies,
    over: (other) => createUpstreamClient(other, turns)
  }
}
