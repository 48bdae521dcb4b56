// Reads the records of many points in the order of time. Keeps one page of records of each device in memory.
import { setImmediate } from 'node:timers/promises'
import pLimit from 'p-limit'
import { ENOUGH_RECORDS, NUMBER_DAYS_BEFORE, STATE_DAYS_BEFORE } from '#shared/history/on-change.ts'
import { timeOf } from '#shared/history/samples.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import type { CustomerSource } from '../../upstreams/client.ts'
import { name } from '../../upstreams/fields.ts'
import { fetchHistoryPage, type HistoryPage } from '../../upstreams/histories.ts'
import type { FoundPoint } from './points.ts'

/** Records of all pages in memory together, and the fewest of a page. One page of 5,000 records has about 500 KB. */
const RECORDS_MAX = 5_000
const PAGE_MIN = 500
/** Devices whose pages are fetched in parallel. */
const PARALLEL_PAGES = 4
const DAY_MS = 86_400_000

export interface PointRecord {
  /** The index of the point. */
  index: number
  ms: number
  value: unknown
  /** Empty for a record without status flags. */
  status: string
}

export interface RecordPage {
  /** In the order of time. */
  records: PointRecord[]
  /** This page and those before have all records until this time. */
  untilMs: number
}

interface Device {
  systemGuid: string
  /** The indexes of the points by telemetry id. */
  indexes: Map<string, number[]>
  /** The records that were fetched but not yet read, in the order of time. */
  records: PointRecord[]
  /** All records until this time have been fetched. */
  untilMs: number
}

export interface RecordQuery {
  source: CustomerSource
  /** Without duplicates. */
  points: readonly FoundPoint[]
  range: TimeRange
  /** Called before each fetch; throws to end. */
  checkAccess: () => Promise<void>
  /** Waits until the next call to the API may start. */
  mayCall: () => Promise<void>
}

/** Yields the records in the order of time. Records without a readable time, or outside the range, are left out. */
export async function* readRecords({
  source,
  points,
  range,
  checkAccess,
  mayCall
}: RecordQuery): AsyncGenerator<RecordPage, void, void> {
  const devices = devicesOf(points, range.fromMs)
  const limit = pageLimit(devices.length)
  const parallel = pLimit(PARALLEL_PAGES)
  for (let fromMs = range.fromMs; fromMs < range.toMs && devices.length > 0; ) {
    const exhausted = devices.filter(({ untilMs }) => untilMs <= fromMs)
    if (exhausted.length > 0) {
      await checkAccess()
      await Promise.all(exhausted.map((device) => parallel(fetchNext, device)))
    }
    fromMs = readableUntil(devices, fromMs)
    yield { records: devices.flatMap((device) => takeUntil(device, fromMs)).sort(byTime), untilMs: fromMs }
    await setImmediate()
  }

  async function fetchNext(device: Device): Promise<void> {
    const { systemGuid, indexes } = device
    const pageRange = { fromMs: device.untilMs, toMs: range.toMs }
    const pointIds = [...indexes.keys()]
    await mayCall()
    const page = await fetchHistoryPage(source, { systemGuid, pointIds, range: pageRange, limit })
    device.records = recordsOf(device, page, pageRange.fromMs)
    device.untilMs = page.untilMs
  }
}

/**
 * The last records of each point before a range, in the order of time: those of the first earlier period that has any. The
 * upstream has no query for them. Numbers are searched for a week, because older ones hardly hold until now.
 */
export async function readRecordsBefore(query: RecordQuery): Promise<PointRecord[][]> {
  const { points, range } = query
  const found = points.map((): PointRecord[] => [])
  let toMs = range.fromMs
  for (const days of STATE_DAYS_BEFORE) {
    const fromMs = range.fromMs - days * DAY_MS
    const isSearched = ({ source, type }: FoundPoint, index: number) =>
      source !== null &&
      found[index]?.length === 0 &&
      (type.kind !== 'Numeric' || NUMBER_DAYS_BEFORE.includes(days))
    const searched = points.map((point, index) =>
      isSearched(point, index) ? point : { ...point, source: null }
    )
    if (searched.every(({ source }) => source === null)) break
    for await (const { records } of readRecords({ ...query, points: searched, range: { fromMs, toMs } }))
      for (const record of records) {
        const own = found[record.index] as PointRecord[]
        own.push(record)
        if (own.length > 2 * ENOUGH_RECORDS) own.splice(0, own.length - ENOUGH_RECORDS)
      }
    toMs = fromMs
  }
  return found
}

const pageLimit = (deviceCount: number) =>
  Math.max(PAGE_MIN, Math.floor(RECORDS_MAX / Math.max(deviceCount, 1)))

const byTime = (a: PointRecord, b: PointRecord) => a.ms - b.ms || a.index - b.index

function devicesOf(points: readonly FoundPoint[], fromMs: number): Device[] {
  const devices = new Map<string, Device>()
  points.forEach(({ source }, index) => {
    if (source === null) return
    const { systemGuid, pointId } = source
    const device = devices.get(systemGuid) ?? { systemGuid, indexes: new Map(), records: [], untilMs: fromMs }
    devices.set(systemGuid, device)
    device.indexes.set(pointId, [...(device.indexes.get(pointId) ?? []), index])
  })
  return [...devices.values()]
}

function recordsOf({ indexes }: Device, page: HistoryPage, fromMs: number): PointRecord[] {
  const records: PointRecord[] = []
  for (const [pointId, pointIndexes] of indexes)
    for (const record of page.records.get(pointId) ?? []) {
      const ms = timeOf(record)
      // The next page repeats records after the end of this page.
      if (!(ms >= fromMs && ms < page.untilMs)) continue
      for (const index of pointIndexes)
        records.push({ index, ms, value: plainValue(record.value), status: name(record.status) })
    }
  return records.sort(byTime)
}

/** Until when all devices have records in memory, and together about RECORDS_MAX: more would take long to merge. */
function readableUntil(devices: readonly Device[], fromMs: number): number {
  const recordsOfEach = Math.ceil(RECORDS_MAX / devices.length)
  const ends = devices.map(({ records, untilMs }) => records[recordsOfEach]?.ms ?? untilMs)
  const untilMs = Math.min(...devices.map((device) => device.untilMs))
  return Math.min(Math.max(Math.min(...ends), fromMs + 1), untilMs)
}

/** Removes and returns the records before a time. */
function takeUntil(device: Device, untilMs: number): PointRecord[] {
  const end = device.records.findIndex(({ ms }) => ms >= untilMs)
  return device.records.splice(0, end < 0 ? device.records.length : end)
}

/** A number, text or boolean; null for anything else. */
function plainValue(value: unknown): unknown {
  return ['number', 'string', 'boolean'].includes(typeof value) ? value : null
}
