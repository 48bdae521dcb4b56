// The JSON that the gateway itself reads from the upstreams. Which paths are called stands in the file of each API.
import type { Api } from '../config.ts'
import { sliceArray } from './array-slices.ts'
import { type Bearer, type Bodies, type Body, parseJson, readWhole } from './bodies.ts'
import type { RecordReader, Records } from './records.ts'
import { createTurns, type Turns } from './turns.ts'

/** An answer larger than this is read when its turn comes. */
const AT_ONCE_MAX_BYTES = 64 * 1024

export interface UpstreamClient {
  /** GETs JSON. Throws a Problem: the upstream's own refusal, or that it could not be reached, understood or awaited. */
  get(api: Api, path: string, bearer: Bearer, signal?: AbortSignal): Promise<unknown>
  /** The same by POST, for searches. */
  search(api: Api, path: string, body: object, bearer: Bearer, signal?: AbortSignal): Promise<unknown>
  /** GETs what it is, and returns what `read` made of it. */
  getBytes<T>(
    api: Api,
    path: string,
    bearer: Bearer,
    read: (chunks: Buffer[]) => T,
    signal?: AbortSignal
  ): Promise<T>
  /** GETs a JSON array of any length and reads it as records, slice by slice. */
  getSlices<K extends string>(
    api: Api,
    path: string,
    bearer: Bearer,
    reader: () => RecordReader<K>,
    signal?: AbortSignal
  ): Promise<Records<K>[]>
}

export function createUpstreamClient(bodies: Bodies, turns: Turns = createTurns()): UpstreamClient {
  async function readWith<T>(body: Body, read: (chunks: Buffer[]) => T): Promise<T> {
    const chunks = await readWhole(body)
    const bytes = chunks.reduce((sum, { length }) => sum + length, 0)
    return bytes > AT_ONCE_MAX_BYTES ? turns.take(() => read(chunks)) : read(chunks)
  }

  return {
    get: (api, path, bearer, signal) =>
      bodies.open({ api, path, bearer, signal }, (body) => readWith(body, parseJson)),
    search: (api, path, body, bearer, signal) =>
      bodies.open({ api, path, body, bearer, signal }, (answer) => readWith(answer, parseJson)),
    getBytes: (api, path, bearer, read, signal) =>
      bodies.open({ api, path, bearer, signal }, (body) => readWith(body, read)),
    getSlices: (api, path, bearer, reader, signal) =>
      bodies.open({ api, path, bearer, signal }, (body) => sliceArray(body, reader(), turns))
  }
}
