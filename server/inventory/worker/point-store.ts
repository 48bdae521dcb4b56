// The points of a customer's devices in the worker: parses their pages, and stores them until they are released. A page may come
// again: its points then replace those that are stored. Checks limits before it parses.
import { LRUCache } from 'lru-cache'
import pLimit, { type LimitFunction } from 'p-limit'
import type { Device } from '#shared/answers/customers.ts'
import {
  chartValue,
  isState,
  isValidStatus,
  type PointType,
  pointTypeOf,
  stateTexts
} from '#shared/history/point-type.ts'
import { FLAG_ORDER, parsePointValue } from '#shared/history/point-value.ts'
import { problems } from '../../errors.ts'
import { nextStep } from '../../steps.ts'
import type { Body } from '../../upstreams/client.ts'
import { id as idOf, name, type Raw, raw } from '../../upstreams/fields.ts'
import { type HalPage, readPage } from '../../upstreams/hal.ts'
import { parseJson } from '../../upstreams/parse-json.ts'
import { POINTS_REL, pointOf } from '../../upstreams/points.ts'
import { FLAG_MAX_CHARACTERS, POINT_PAGE_SIZE } from '../worker-messages.ts'
import { decoded, sumOf } from './parsed-lists.ts'
import type { PointTable } from './point-table.ts'

/** Four times the points of a customer with 1,240 devices. */
const POINTS_MAX = 200_000
/** 100 values per point. Real points have about 25 values in 3 levels. */
const PAGE_LIMITS = { maxDepth: 32, maxValues: 100 * POINT_PAGE_SIZE } as const
/** Flags of a point: all known ones and two others. */
const FLAGS_MAX = FLAG_ORDER.length + 2
const RELEASED_MAX = 1_000
/** Points that one step reads, in less than a millisecond. */
const POINTS_PER_STEP = 25
/** Bytes of each point without its texts. */
const POINT_BYTES = 328
/** Bytes of a text without its characters. */
const FLAG_BYTES = 16
const WIDE_CHARACTER = /[^\0-\xff]/

export interface StoredPoint {
  cloudId: string
  name: string
  /** NaN if the point is not numeric or has no value. */
  number: number
  /** The value of any other point; null if it has none. */
  text: string | null
  units: string
  flags: readonly string[] | null
  isValid: boolean
  readAt: number
  noticedAt: number
  /** An upper bound. */
  heapBytes: number
  /** The JSON of the point's model without `systemGuid`. */
  json: string
}

export interface Site {
  /** By system guid, then by cloud id. */
  systems: Map<string, Map<string, StoredPoint>>
  count: number
  heapBytes: number
  /** Heap of all points that were ever replaced or dropped. */
  replacedBytes: number
  isReleased: boolean
  /** Rises with each change of the points. */
  version: number
  /** The table that was asked for last: equal calls share it. */
  last: LastTable | null
  /** Runs one call that filters and sorts at a time, because each needs up to two fifths of the memory of the points. */
  inTurn: LimitFunction
  /** Systems of the page that was last shown: they are read first. */
  shown: ReadonlySet<string>
}

interface LastTable {
  /** Identifies the version of the customer that has the devices. */
  customer: number
  devices: readonly Device[]
  filter: string
  /** The version of the site. */
  version: number
  table: PointTable
}

/** Equal texts and lists of flags of a page, once. */
interface PageTexts {
  texts: Map<string, string>
  flags: Map<string, readonly string[]>
}

export interface PointPageParams extends Body {
  /** Identifies the points of a customer, as seen with one visibility. */
  id: number
  customerId: string
  /** When the page was requested, in milliseconds since 1970. */
  readAt: number
  /** Omits points of other systems. */
  systemGuid?: string | undefined
}

export type PointPage = Pick<HalPage, 'totalPages' | 'totalElements' | 'next'>

/**
 * @param pageMaxBytes maximum size of a decoded page
 * @param reserveHeap throws a 503 problem if there is no room for `bytes` more
 */
export function createPointStore(pageMaxBytes: number, reserveHeap: (bytes: number) => void) {
  const sites = new Map<number, Site>()
  /** The rows of answers that are being sent, by the id of the reader, the oldest first. */
  const readers = new Map<number, PointTable>()
  /** Ids of released sites, whose late pages are rejected. */
  const released = new LRUCache<number, true>({ max: RELEASED_MAX })

  function siteOf(id: number): Site {
    const site = sites.get(id)
    if (site === undefined) throw problems.inventoryUnavailable()
    return site
  }

  /** Stores a site without points if none was ever stored with this id. */
  function open(id: number): Site {
    if (!released.has(id) && !sites.has(id)) sites.set(id, newSite())
    return siteOf(id)
  }

  function add(site: Site, item: unknown, texts: PageTexts, { readAt, systemGuid }: PointPageParams): void {
    const model = raw(item)
    const guid = name(model.systemGuid)
    const cloudId = idOf(model.cloudId)
    if (guid === '' || cloudId === null || (systemGuid !== undefined && guid !== systemGuid)) return
    const points = site.systems.get(guid) ?? new Map<string, StoredPoint>()
    const before = points.get(cloudId)
    const point = storedPoint(texts, model, cloudId, readAt, before)
    const bytes = point.heapBytes - (before?.heapBytes ?? 0)
    if (before === undefined && site.count === POINTS_MAX)
      throw problems.upstreamTooLarge(`more than ${POINTS_MAX} points`)
    if (bytes > 0) reserveHeap(bytes)
    site.heapBytes += bytes
    if (before === undefined) site.count += 1
    else site.replacedBytes += before.heapBytes
    points.set(cloudId, point)
    site.systems.set(guid, points)
  }

  function release(id: number): void {
    const site = sites.get(id)
    if (site !== undefined) site.isReleased = true
    sites.delete(id)
    readers.delete(id)
    for (const other of sites.values()) if (other.last?.customer === id) other.last = null
    released.set(id, true)
  }

  function tableBytes(): number {
    const lastTables = [...sites.values()].flatMap(({ last }) => last?.table ?? [])
    return sumOf([...new Set([...readers.values(), ...lastTables])], (table) => table.heapBytes())
  }
  const heapBytes = () => sumOf([...sites.values()], (site) => site.heapBytes) + tableBytes()

  /** Frees a table for equal calls or, without one, the rows of the oldest reader. Returns false if there is neither. */
  function releaseTable(): boolean {
    const site = [...sites.values()].find(({ last }) => last !== null)
    const [readerId] = readers.keys()
    if (site !== undefined) site.last = null
    else if (readerId !== undefined) readers.delete(readerId)
    else return false
    return true
  }

  return {
    /** Parses a page and stores its points. Throws a 502 problem for a malformed page or one above a limit. */
    async page(params: PointPageParams): Promise<PointPage> {
      open(params.id)
      const body = parseJson(decoded(params, pageMaxBytes), PAGE_LIMITS)
      const { items, totalPages, totalElements, next } = readPage(body, POINTS_REL)
      if (items.length > POINT_PAGE_SIZE) throw problems.upstreamTooLarge(`${items.length} points on a page`)
      const texts: PageTexts = { texts: new Map(), flags: new Map() }
      for (let at = 0; at < items.length; at += POINTS_PER_STEP) {
        await nextStep()
        const site = siteOf(params.id)
        for (const item of items.slice(at, at + POINTS_PER_STEP)) add(site, item, texts, params)
        site.version += 1
      }
      return { totalPages, totalElements, next }
    },
    /** Drops points that were read before this time: of one system, or of all. */
    dropOlder(id: number, readAt: number, systemGuid?: string): void {
      const site = siteOf(id)
      const guids = systemGuid === undefined ? [...site.systems.keys()] : [systemGuid]
      for (const guid of guids) {
        const points = site.systems.get(guid)
        if (points === undefined) continue
        for (const [cloudId, point] of points) {
          if (point.readAt >= readAt) continue
          points.delete(cloudId)
          site.count -= 1
          site.heapBytes -= point.heapBytes
          site.replacedBytes += point.heapBytes
        }
        if (points.size === 0) site.systems.delete(guid)
      }
      site.version += 1
    },
    open,
    /** The points of a customer. Throws a 503 problem if they are not stored. */
    get: siteOf,
    /** Frees a site, the rows of a reader, or the table that has the devices of a customer. */
    release,
    /** Stores rows for a reader, until they are released or their memory is needed. */
    addReader(readerId: number, table: PointTable): void {
      reserveHeap(table.heapBytes())
      readers.set(readerId, table)
    },
    /** The rows of a reader. Throws a 503 problem if they are no longer stored. */
    reader(readerId: number): PointTable {
      const table = readers.get(readerId)
      if (table === undefined) throw problems.inventoryUnavailable()
      return table
    },
    heapBytes,
    /** Frees heap by releasing tables. Throws a 503 problem and releases nothing if that does not free enough. */
    releaseTables(neededBytes: number): void {
      if (neededBytes > tableBytes())
        throw problems.inventoryUnavailable(new Error('no memory for the points of a customer'))
      const goal = heapBytes() - neededBytes
      while (heapBytes() > goal && releaseTable()) {}
    },
    /** Frees a table or, without tables, the site that was created first. Returns false if there is neither. */
    releaseOldest(): boolean {
      if (releaseTable()) return true
      const [oldest] = sites.keys()
      if (oldest === undefined) return false
      release(oldest)
      return true
    }
  }
}

export type PointStore = ReturnType<typeof createPointStore>

const newSite = (): Site => ({
  systems: new Map(),
  count: 0,
  heapBytes: 0,
  replacedBytes: 0,
  isReleased: false,
  version: 0,
  last: null,
  inTurn: pLimit(1),
  shown: new Set()
})

function storedPoint(
  texts: PageTexts,
  model: Raw,
  cloudId: string,
  readAt: number,
  before: StoredPoint | undefined
): StoredPoint {
  const own = pointOf(model, cloudId)
  const type = pointTypeOf(own)
  const out = parsePointValue(own.outValue)
  const flags = out.flags && flagsOnce(texts, out.flags)
  const isNumeric = type.kind === 'Numeric'
  const number = isNumeric ? chartValue(type, out.value) : Number.NaN
  const hasValue = out.value !== '' && (!isNumeric || Number.isFinite(number))
  const isUnchanged = before !== undefined && before.flags?.join() === flags?.join()
  const point: StoredPoint = {
    cloudId,
    name: textOnce(texts, own.displayName || cloudId),
    number,
    text: isNumeric || out.value === '' ? null : textOnce(texts, stateText(type, out.value)),
    units: isNumeric ? textOnce(texts, type.units) : '',
    flags,
    isValid: hasValue && isValidStatus(flags?.join(',')),
    readAt,
    noticedAt: isUnchanged ? before.noticedAt : readAt,
    heapBytes: 0,
    json: JSON.stringify(own)
  }
  point.heapBytes = heapBytesOf(point)
  return point
}

/** The text of a state; any other value as it is. */
function stateText(type: PointType, value: string): string {
  if (!isState(type)) return value
  const ordinal = chartValue(type, value)
  return stateTexts(type).find((state) => state.ordinal === ordinal)?.text ?? value
}

/** A copy of the text: V8 would keep the whole text of which this one is a part. */
function textOnce({ texts }: PageTexts, text: string): string {
  const known = texts.get(text)
  if (known !== undefined) return known
  const copy = Buffer.from(text).toString()
  texts.set(copy, copy)
  return copy
}

function flagsOnce(texts: PageTexts, all: readonly string[]): readonly string[] {
  const list = all.slice(0, FLAGS_MAX).map((flag) => flag.slice(0, FLAG_MAX_CHARACTERS))
  const key = list.join(',')
  const known = texts.flags.get(key)
  if (known !== undefined) return known
  const copies = list.map((flag) => textOnce(texts, flag))
  texts.flags.set(key, copies)
  return copies
}

/** An upper bound. The name, value, units and flags may also be texts of their own. */
function heapBytesOf({ json, name, text, units, flags }: StoredPoint): number {
  const flagCharacters = flags?.reduce((sum, flag) => sum + 2 * (flag.length + FLAG_BYTES), 0) ?? 0
  const characters = json.length + name.length + (text?.length ?? 0) + units.length + flagCharacters
  return POINT_BYTES + (WIDE_CHARACTER.test(json) ? 2 : 1) * characters
}
