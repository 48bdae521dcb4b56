// The lists of customers that are being fetched, as far as they have come: read part by part, and kept until they are put
// together. What there is no memory for is not read.
import { gunzipSync } from 'node:zlib'
import type { Device, Project } from '#shared/entities.ts'
import { problems } from '../errors.ts'
import { type PageLinks, readPage } from '../upstreams/hal.ts'
import { type OwnedSubscription, toDevice, toProject, toSubscription } from './records.ts'

/** What objects take in the heap, in times of the bytes of their JSON: measured, rounded up. */
const HEAP_PER_BYTE = 2
/** What reading them takes for a moment. */
const HEAP_PER_BYTE_READ = 8
/** A body that is longer once it is decoded is not read. */
const DECODED_MAX_BYTES = 128 * 1024 * 1024
const DECODED_CHUNK_BYTES = 256 * 1024

export interface PageGiven {
  /** Of the customer. */
  id: number
  rel: 'projects' | 'devices'
  /** Of the body; used up. */
  pieces: ArrayBuffer[]
  isGzip?: boolean
}

/** Numbers of parts, in the order of their lists. */
export interface Lists {
  projects: number[]
  devices: number[]
  /** Null when they could not be fetched. */
  subscriptions: number | null
}

/** Of a list of an upstream. */
type Part = Project[] | Device[] | OwnedSubscription[]

interface ParsedList {
  parts: Part[]
  /** Of which they were read. */
  bytes: number
}

export interface ParsedLists {
  /** Reads a page of a list. Throws a 502 problem for what is none, and a 503 problem for want of memory. */
  page(given: PageGiven): PageLinks & { part: number }
  /** The same of all subscriptions; the number of the part. */
  subscriptions(given: Omit<PageGiven, 'rel'>): number
  /** What was read of a customer, which is then forgotten. Throws a 503 problem when nothing was. */
  take(
    id: number,
    lists: Lists
  ): {
    projects: Project[]
    devices: Device[]
    subscriptions: OwnedSubscription[] | null
  }
  release(id: number): void
}

/**
 * @param memoryBytes of the heap, at most
 * @param heldBytes of JSON, of what is held beside
 * @param letGo makes room by letting go of something that is held beside; false when there is nothing
 */
export function createParsedLists(
  memoryBytes: number,
  heldBytes: () => number,
  letGo: () => boolean
): ParsedLists {
  const lists = new Map<number, ParsedList>()

  /** Whoever meets the limit of the heap within `JSON.parse` takes the whole process along, not only the thread. */
  function read(json: Uint8Array<ArrayBuffer>): unknown {
    const lacksMemory = () => {
      const held = [...lists.values()].reduce((sum, { bytes }) => sum + bytes, heldBytes())
      return held * HEAP_PER_BYTE + json.length * HEAP_PER_BYTE_READ > memoryBytes
    }
    while (lacksMemory()) if (!letGo()) throw problems.inventoryUnavailable()
    return parse(json)
  }

  function add(id: number, part: Part, bytes: number): number {
    const list = lists.get(id) ?? { parts: [], bytes: 0 }
    lists.set(id, list)
    list.bytes += bytes
    return list.parts.push(part) - 1
  }

  return {
    page({ id, rel, ...body }) {
      const json = decoded(body)
      const bytes = json.length
      const { items, totalPages, next } = readPage(read(json), rel)
      const part = rel === 'projects' ? items.map(toProject) : items.map(toDevice)
      return { part: add(id, part, bytes), totalPages, next }
    },
    subscriptions({ id, ...body }) {
      const json = decoded(body)
      const bytes = json.length
      const items = read(json)
      if (!Array.isArray(items)) throw problems.upstreamGarbled()
      return add(id, items.map(toSubscription), bytes)
    },
    take(id, { projects, devices, subscriptions }) {
      const { parts } = lists.get(id) ?? {}
      if (parts === undefined) throw problems.inventoryUnavailable()
      lists.delete(id)
      return {
        projects: projects.flatMap((number) => parts[number] as Project[]),
        devices: devices.flatMap((number) => parts[number] as Device[]),
        subscriptions: subscriptions === null ? null : (parts[subscriptions] as OwnedSubscription[])
      }
    },
    release: (id) => void lists.delete(id)
  }
}

type Body = Pick<PageGiven, 'pieces' | 'isGzip'>

/** Uses the pieces up. Throws a 502 problem for what is no gzip, or too long. */
function decoded({ pieces, isGzip = false }: Body): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(new Uint8Array(piece), at)
    at += piece.byteLength
    free(new Uint8Array(piece))
  }
  if (!isGzip) return whole
  try {
    return gunzipSync(whole, { chunkSize: DECODED_CHUNK_BYTES, maxOutputLength: DECODED_MAX_BYTES })
  } catch {
    throw problems.upstreamGarbled()
  }
}

/** Uses the bytes up. Throws a 502 problem for what is no JSON. */
function parse(json: Uint8Array<ArrayBuffer>): unknown {
  try {
    const text = new TextDecoder().decode(json)
    free(json)
    return JSON.parse(text)
  } catch {
    throw problems.upstreamGarbled()
  }
}

/** At once, and not when a collection finds them; what shares its memory with others stays. */
function free({ byteLength, buffer }: Uint8Array<ArrayBuffer>): void {
  if (byteLength === buffer.byteLength) buffer.transfer(0)
}
