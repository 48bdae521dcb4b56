// Parses the pages of customers that are being fetched, and stores them until assembly. Checks limits before parsing.
import { gunzipSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Device, Project } from '#shared/answers/customers.ts'
import { problems } from '../../errors.ts'
import { nextStep } from '../../steps.ts'
import type { Body } from '../../upstreams/client.ts'
import { type PageLinks, readPage } from '../../upstreams/hal.ts'
import { arrayParts, parseJson } from '../../upstreams/parse-json.ts'
import { FETCH_PAGE_SIZE, SUBSCRIPTIONS_MAX_BYTES } from '../worker-messages.ts'
import { deviceHeapBytes, projectHeapBytes, subscriptionHeapBytes } from './heap-size.ts'
import { toDevice, toProject, toSubscription } from './records.ts'

/** For one customer: twice the supported 100,000 devices, and one project per ten devices. */
const RECORDS_MAX = { projects: 20_000, devices: 200_000, subscriptions: 500_000 } as const
/** A device needs three subscriptions at a time; 50 allow for ten years of renewals. */
const SUBSCRIPTIONS_PER_DEVICE_MAX = 50
/** 100 values per record of a page. Real devices have about 15 values in 4 levels. */
const PAGE_LIMITS = { maxDepth: 32, maxValues: 100 * FETCH_PAGE_SIZE } as const
const DECODED_CHUNK_BYTES = 256 * 1024
const RELEASED_MAX = 1_000
/** Number of subscriptions that one step adds, in one or two milliseconds. */
const PART_SIZE = 500

/** The `part` numbers of the pages, in list order. */
export interface Pages {
  projects: number[]
  devices: number[]
}

export interface PageParams extends Body {
  /** Identifies one fetch of a customer's lists. */
  id: number
  customerId: string
  rel: keyof Pages
}

export type ByUuid = ReadonlyMap<string, Device>

interface FetchedLists {
  projects: Project[][]
  devices: Device[][]
  records: Record<keyof typeof RECORDS_MAX, number>
  heapBytes: number
}

/** Throws a 502 problem for a malformed list or for one above a limit, and what `reserveHeap` throws. */
export interface ParsedLists {
  /** Parses and stores a page. Returns its `part` number. */
  page(params: PageParams): PageLinks & { part: number }
  /** Returns the parsed lists, which use memory until released. Throws a 503 problem if no list is stored. */
  take(id: number, pages: Pages): { projects: Project[]; devices: Device[] }
  /** Adds subscriptions to their devices in steps, so that other work can run in between. Drops those of unknown devices. */
  subscriptions(id: number, body: Body, byUuid: ByUuid): Promise<void>
  release(id: number): void
  /** Heap of the lists of one fetch. */
  heapBytesOf(id: number): number
  /** Heap of the lists of all fetches. */
  heapBytes(): number
}

/**
 * @param pageMaxBytes maximum size of a decoded page
 * @param reserveHeap throws a 503 problem if a fetch that uses `fetchBytes` of heap has no room for `bytes` more
 */
export function createParsedLists(
  pageMaxBytes: number,
  reserveHeap: (bytes: number, fetchBytes: number) => void
): ParsedLists {
  const listsById = new Map<number, FetchedLists>()
  /** Ids of released fetches, whose late pages are rejected. */
  const released = new LRUCache<number, true>({ max: RELEASED_MAX })

  function listsOf(id: number): FetchedLists {
    const lists = listsById.get(id)
    if (lists === undefined) throw problems.inventoryUnavailable()
    return lists
  }

  function parse(json: Uint8Array): unknown {
    if (json.length > pageMaxBytes)
      throw problems.upstreamTooLarge(`a page of more than ${pageMaxBytes} bytes`)
    return parseJson(json, PAGE_LIMITS)
  }

  function addRecords(
    lists: FetchedLists,
    rel: keyof typeof RECORDS_MAX,
    count: number,
    bytes: number
  ): void {
    lists.records[rel] += count
    if (lists.records[rel] > RECORDS_MAX[rel])
      throw problems.upstreamTooLarge(`more than ${RECORDS_MAX[rel]} ${rel}`)
    reserveHeap(bytes, lists.heapBytes)
    lists.heapBytes += bytes
  }

  function addSubscriptions(lists: FetchedLists, items: readonly unknown[], byUuid: ByUuid): void {
    let heapBytes = 0
    for (const item of items) {
      const { deviceUuid, subscription } = toSubscription(item)
      const device = byUuid.get(deviceUuid)
      if (device === undefined) continue
      if (device.subscriptions.length === SUBSCRIPTIONS_PER_DEVICE_MAX)
        throw problems.upstreamTooLarge(`more than ${SUBSCRIPTIONS_PER_DEVICE_MAX} subscriptions of a device`)
      // `push` would reserve 16 spare slots per array.
      device.subscriptions = device.subscriptions.concat(subscription)
      heapBytes += subscriptionHeapBytes(subscription)
    }
    addRecords(lists, 'subscriptions', items.length, heapBytes)
  }

  return {
    page({ id, rel, pieces, isGzip }) {
      if (released.has(id)) throw problems.inventoryUnavailable()
      const { items, totalPages, next } = readPage(parse(decoded({ pieces, isGzip }, pageMaxBytes)), rel)
      if (items.length > FETCH_PAGE_SIZE) throw problems.upstreamTooLarge(`${items.length} ${rel} on a page`)
      const records = { projects: 0, devices: 0, subscriptions: 0 }
      const lists = listsById.get(id) ?? { projects: [], devices: [], records, heapBytes: 0 }
      listsById.set(id, lists)
      if (rel === 'projects') {
        const projects = items.map(toProject)
        addRecords(lists, rel, projects.length, sumOf(projects, projectHeapBytes))
        return { part: lists.projects.push(projects) - 1, totalPages, next }
      }
      const devices = items.map(toDevice)
      addRecords(lists, rel, devices.length, sumOf(devices, deviceHeapBytes))
      return { part: lists.devices.push(devices) - 1, totalPages, next }
    },
    take(id, { projects, devices }) {
      const lists = listsOf(id)
      return {
        projects: projects.flatMap((part) => lists.projects[part] as Project[]),
        devices: devices.flatMap((part) => lists.devices[part] as Device[])
      }
    },
    async subscriptions(id, body, byUuid) {
      const heapBytesBefore = listsOf(id).heapBytes
      try {
        for (const part of arrayParts(decoded(body, SUBSCRIPTIONS_MAX_BYTES), PART_SIZE)) {
          await nextStep()
          addSubscriptions(listsOf(id), parse(part) as unknown[], byUuid)
        }
      } catch (error) {
        for (const device of byUuid.values()) device.subscriptions = []
        listsOf(id).heapBytes = heapBytesBefore
        throw error
      }
    },
    release(id) {
      listsById.delete(id)
      released.set(id, true)
    },
    heapBytesOf: (id) => listsOf(id).heapBytes,
    heapBytes: () => sumOf([...listsById.values()], ({ heapBytes }) => heapBytes)
  }
}

export function sumOf<T>(items: readonly T[], bytesOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + bytesOf(item), 0)
}

/** The body without gzip. Throws a 502 problem for malformed gzip, or if the decoded body exceeds the limit. */
export function decoded({ pieces, isGzip }: Body, maxBytes: number): Uint8Array<ArrayBuffer> {
  const whole = Buffer.concat(pieces.map((piece) => Buffer.from(piece)))
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
