// Parses the pages of customers that are being fetched, and keeps them until assembly. Limits are checked before parsing.
import { gunzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Device, Project } from '#shared/entities.ts'
import { FETCH_PAGE_SIZE } from '#shared/limits.ts'
import { problems } from '../errors.ts'
import type { Body } from '../upstreams/client.ts'
import { type PageLinks, readPage } from '../upstreams/hal.ts'
import { arrayParts, parseJson } from '../upstreams/parse-json.ts'
import {
  deviceBytes,
  projectBytes,
  subscriptionBytes,
  toDevice,
  toProject,
  toSubscription
} from './records.ts'
import { turn } from './turn.ts'

/** For one customer: twice the supported 100,000 devices, and a project for every five of these. */
const RECORDS_MAX = { projects: 20_000, devices: 200_000, subscriptions: 500_000 } as const
/** A device needs three at a time; this allows for ten years of renewals. */
const SUBSCRIPTIONS_PER_DEVICE_MAX = 50
/** Subscriptions come as one list, not in pages: 500,000 take 60 MB. */
export const SUBSCRIPTIONS_MAX_BYTES = 64 * 2 ** 20
/** For each record of a page; our devices have about 15 values in 4 levels. */
const PAGE_LIMITS = { maxDepth: 32, maxValues: 100 * FETCH_PAGE_SIZE } as const
const DECODED_CHUNK_BYTES = 256 * 1024
const RELEASED_MAX = 1_000
/** Subscriptions of one step, which takes a millisecond or two. */
const PART_SIZE = 500

/** Numbers of pages, in the order of their lists. */
export interface Pages {
  projects: number[]
  devices: number[]
}

export interface PageGiven extends Body {
  /** The number of the reading. */
  id: number
  customerId: string
  rel: keyof Pages
}

export type ByUuid = ReadonlyMap<string, Device>

interface Reading {
  projects: Project[][]
  devices: Device[][]
  records: Record<keyof typeof RECORDS_MAX, number>
  /** Bytes of the heap. */
  bytes: number
}

/** Each call consumes the body. Throws a 502 problem for a malformed list or above a limit, and what `reserve` throws. */
export interface ParsedLists {
  /** Reads a page. Returns its number. */
  page(given: PageGiven): PageLinks & { part: number }
  /** The parsed lists of a customer; they use memory until released. Throws a 503 problem if there are none. */
  take(id: number, pages: Pages): { projects: Project[]; devices: Device[] }
  /** Adds subscriptions to their devices in steps, between other questions. Drops those of unknown devices. */
  subscriptions(id: number, body: Body, byUuid: ByUuid): Promise<void>
  release(id: number): void
  /** Heap bytes of a reading. */
  bytesOf(id: number): number
  /** Heap bytes of all readings. */
  bytes(): number
}

/**
 * @param pageMaxBytes maximum size of a decoded page
 * @param reserve throws a 503 problem if a reading with `taken` heap bytes has no room for more
 */
export function createParsedLists(
  pageMaxBytes: number,
  reserve: (bytes: number, taken: number) => void
): ParsedLists {
  const readings = new Map<number, Reading>()
  /** A page may arrive after the release of its reading. */
  const released = new LRUCache<number, true>({ max: RELEASED_MAX })

  function readingOf(id: number): Reading {
    const reading = readings.get(id)
    if (reading === undefined) throw problems.inventoryUnavailable()
    return reading
  }

  function parse(json: Uint8Array): unknown {
    if (json.length > pageMaxBytes)
      throw problems.upstreamTooLarge(`a page of more than ${pageMaxBytes} bytes`)
    return parseJson(json, PAGE_LIMITS)
  }

  /** Makes room for records. */
  function admit(reading: Reading, rel: keyof typeof RECORDS_MAX, count: number, bytes: number): void {
    reading.records[rel] += count
    if (reading.records[rel] > RECORDS_MAX[rel])
      throw problems.upstreamTooLarge(`more than ${RECORDS_MAX[rel]} ${rel}`)
    reserve(bytes, reading.bytes)
    reading.bytes += bytes
  }

  function addSubscriptions(reading: Reading, items: readonly unknown[], byUuid: ByUuid): void {
    let bytes = 0
    for (const item of items) {
      const { deviceUuid, subscription } = toSubscription(item)
      const device = byUuid.get(deviceUuid)
      if (device === undefined) continue
      if (device.subscriptions.length === SUBSCRIPTIONS_PER_DEVICE_MAX)
        throw problems.upstreamTooLarge(`more than ${SUBSCRIPTIONS_PER_DEVICE_MAX} subscriptions of a device`)
      // `push` would allocate sixteen more.
      device.subscriptions = device.subscriptions.concat(subscription)
      bytes += subscriptionBytes(subscription)
    }
    admit(reading, 'subscriptions', items.length, bytes)
  }

  return {
    page({ id, rel, pieces, isGzip }) {
      if (released.has(id)) throw problems.inventoryUnavailable()
      const { items, totalPages, next } = readPage(parse(decoded({ pieces, isGzip }, pageMaxBytes)), rel)
      if (items.length > FETCH_PAGE_SIZE) throw problems.upstreamTooLarge(`${items.length} ${rel} on a page`)
      const records = { projects: 0, devices: 0, subscriptions: 0 }
      const reading = readings.get(id) ?? { projects: [], devices: [], records, bytes: 0 }
      readings.set(id, reading)
      if (rel === 'projects') {
        const projects = items.map(toProject)
        admit(reading, rel, projects.length, sumOf(projects, projectBytes))
        return { part: reading.projects.push(projects) - 1, totalPages, next }
      }
      const devices = items.map(toDevice)
      admit(reading, rel, devices.length, sumOf(devices, deviceBytes))
      return { part: reading.devices.push(devices) - 1, totalPages, next }
    },
    take(id, { projects, devices }) {
      const reading = readingOf(id)
      return {
        projects: projects.flatMap((part) => reading.projects[part] as Project[]),
        devices: devices.flatMap((part) => reading.devices[part] as Device[])
      }
    },
    async subscriptions(id, body, byUuid) {
      const { bytes } = readingOf(id)
      try {
        for (const part of arrayParts(decoded(body, SUBSCRIPTIONS_MAX_BYTES), PART_SIZE)) {
          await turn()
          addSubscriptions(readingOf(id), parse(part) as unknown[], byUuid)
        }
      } catch (error) {
        for (const device of byUuid.values()) device.subscriptions = []
        readingOf(id).bytes = bytes
        throw error
      }
    },
    release(id) {
      readings.delete(id)
      released.set(id, true)
    },
    bytesOf: (id) => readingOf(id).bytes,
    bytes: () => sumOf([...readings.values()], ({ bytes }) => bytes)
  }
}

function sumOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0)
}

/** Throws a 502 problem for malformed gzip, or above the limit. */
function decoded({ pieces, isGzip }: Body, maxBytes: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(new Uint8Array(piece), at)
    at += piece.byteLength
    // Frees the memory at once, not at the next collection.
    piece.transfer(0)
  }
  if (!isGzip) return whole
  try {
    return gunzipSync(whole, { chunkSize: DECODED_CHUNK_BYTES, maxOutputLength: maxBytes })
  } catch (error) {
    const isTooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw isTooLong
      ? problems.upstreamTooLarge(`more than ${maxBytes} bytes unzipped`)
      : problems.upstreamGarbled()
  }
}
