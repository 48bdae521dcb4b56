// Whether the upstreams say what they said before. Most lists that are read again have not changed: that is seen by
// the sums of their bodies, and nothing is parsed. What has changed is then read from the bodies that are held.
import { setTimeout as wait } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import pLimit from 'p-limit'
import type { Api } from '../config.ts'
import type { Bearer, Bodies, Body } from './bodies.ts'

/** Bodies under way at a time: nobody waits for them, and others are to be answered meanwhile. */
const PARALLEL = 2
/** A rest after so many bytes: a large customer's, read at full speed, slow all other answers down meanwhile. */
const REST_BYTES = 256 * 1024
const REST_MS = 10
/** More than this is not held: of a large customer, asking twice after a change costs less than its bodies in memory. */
const HELD_MAX_BYTES = 16 * 1024 * 1024

/** A body that was read to its end. */
export interface Reading {
  api: Api
  path: string
  /** Its length and CRC-32: of changes that keep the length, one in four thousand million is not seen until the next. */
  sum: string
}

export interface NotedBodies extends Bodies {
  /** What was read so far. */
  readings(): Reading[]
}

/** Reads on from `bodies`, and notes what. */
export function noteBodies(bodies: Bodies): NotedBodies {
  const noted = new Map<string, Reading>()
  return {
    readings: () => [...noted.values()],
    open: (call, read) =>
      bodies.open(call, (body) => {
        const { api, path } = call
        return read(summed(body, (sum) => noted.set(keyOf(api, path), { api, path, sum })))
      })
  }
}

export interface ReadAgain {
  same: boolean
  /** Each body that is held, once; after that, and for all others, where they come from. */
  bodies: Bodies
}

/** Asks for the bodies once more. One that fails counts as another one, and is not there. Throws once `signal` is aborted. */
export async function readAgain(
  bodies: Bodies,
  readings: readonly Reading[],
  bearer: Bearer,
  signal: AbortSignal,
  heldMaxBytes = HELD_MAX_BYTES
): Promise<ReadAgain> {
  const held = new Map<string, Buffer[]>()
  let bytes = 0
  const holdsAll = () => bytes <= heldMaxBytes
  const enough = new AbortController()
  const either = AbortSignal.any([signal, enough.signal])
  const limit = pLimit(PARALLEL)

  function hold(chunks: Buffer[], chunk: Buffer): void {
    bytes += chunk.length
    if (holdsAll()) chunks.push(chunk)
    else held.clear()
  }

  async function isSame({ api, path, sum }: Reading): Promise<boolean> {
    const read = await bodies.open({ api, path, bearer, signal: either }, async (body) => {
      const chunks: Buffer[] = []
      return { chunks, sum: await sumOf(body, (chunk) => hold(chunks, chunk)) }
    })
    if (holdsAll()) held.set(keyOf(api, path), read.chunks)
    return read.sum === sum
  }

  const same = async (reading: Reading): Promise<boolean> => {
    if (enough.signal.aborted) return false
    const found = await isSame(reading).catch(() => false)
    // All of them are asked for again, once one has changed.
    if (!found && !holdsAll()) enough.abort()
    return found
  }
  const found = await Promise.all(readings.map((reading) => limit(same, reading)))
  signal.throwIfAborted()
  return { same: found.every(Boolean), bodies: before(bodies, held) }
}

function before(bodies: Bodies, held: Map<string, Buffer[]>): Bodies {
  return {
    open(call, read) {
      const key = keyOf(call.api, call.path)
      const chunks = held.get(key)
      if (!chunks) return bodies.open(call, read)
      held.delete(key)
      return read(oneByOne(chunks))
    }
  }
}

async function sumOf(body: Body, hold: (chunk: Buffer) => void): Promise<string> {
  let sum = ''
  const done = (whole: string) => {
    sum = whole
  }
  let unrested = 0
  for await (const chunk of summed(body, done)) {
    hold(chunk)
    unrested += chunk.length
    if (unrested < REST_BYTES) continue
    unrested = 0
    await wait(REST_MS)
  }
  return sum
}

/** Lets go of each chunk as it is read. */
async function* oneByOne(chunks: Buffer[]): Body {
  for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) yield chunk
}

async function* summed(body: Body, done: (sum: string) => void): Body {
  let length = 0
  let sum = 0
  for await (const chunk of body) {
    length += chunk.length
    sum = crc32(chunk, sum)
    yield chunk
  }
  done(`${length} ${sum.toString(16)}`)
}

const keyOf = (api: Api, path: string) => `${api} ${path}`
