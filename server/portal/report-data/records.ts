// Reads the records of many points in the order of time. Keeps one page of records of each device in memory.
import pLimit from 'p-limit'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import type { CustomerSource } from '../../upstreams/client.ts'
import { name } from '../../upstreams/fields.ts'
import { fetchHistoryPage } from '../../upstreams/histories.ts'
import type { FoundPoint } from './points.ts'

/** Records of all pages in memory together, and the fewest of a page. One page of 5,000 records has about 500 KB. */
const RECORDS_MAX = 5_000
const PAGE_MIN = 500
/** Devices whose pages are fetched in parallel. */
const PARALLEL_PAGES = 4

export interface PointRecord {
  /** The index of the point in the report. */
  index: number
  ms: number
  value: unknown
  /** Empty for a record without status flags. */
  status: string
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

/**
 * Yields the records in the order of time, many at once. Records without a readable time, or outside the range, are left out.
 * @param checkAccess called before each fetch; throws to end
 */
export async function* readRecords(
  source: CustomerSource,
  points: readonly FoundPoint[],
  range: TimeRange,
  checkAccess: () => Promise<void>
): AsyncGenerator<PointRecord[], void, void> {
  const devices = devicesOf(points, range.fromMs)
  const limit = Math.max(PAGE_MIN, Math.floor(RECORDS_MAX / devices.length))
  const parallel = pLimit(PARALLEL_PAGES)
  for (let fromMs = range.fromMs; fromMs < range.toMs && devices.length > 0; ) {
    await checkAccess()
    const exhausted = devices.filter(({ untilMs }) => untilMs <= fromMs)
    await Promise.all(exhausted.map((device) => parallel(fetchNext, device)))
    const untilMs = Math.min(...devices.map((device) => device.untilMs))
    yield devices.flatMap((device) => takeUntil(device, untilMs)).sort(byTime)
    fromMs = untilMs
  }

  async function fetchNext(device: Device): Promise<void> {
    const { systemGuid, indexes } = device
    const pageRange = { fromMs: device.untilMs, toMs: range.toMs }
    const page = await fetchHistoryPage(source, {
      systemGuid,
      pointIds: [...indexes.keys()],
      range: pageRange,
      limit
    })
    for (const [pointId, pointIndexes] of indexes)
      for (const { timestamp, value, status } of page.records.get(pointId) ?? []) {
        const ms = typeof timestamp === 'number' ? timestamp : Date.parse(String(timestamp))
        // The next page repeats records after the end of this page.
        if (!(ms >= pageRange.fromMs && ms < page.untilMs)) continue
        for (const index of pointIndexes)
          device.records.push({ index, ms, value: plainValue(value), status: name(status) })
      }
    device.records.sort(byTime)
    device.untilMs = page.untilMs
  }
}

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

/** Removes and returns the records before a time. */
function takeUntil(device: Device, untilMs: number): PointRecord[] {
  const end = device.records.findIndex(({ ms }) => ms >= untilMs)
  return device.records.splice(0, end < 0 ? device.records.length : end)
}

/** A number, text or boolean; null for anything else. */
function plainValue(value: unknown): unknown {
  return ['number', 'string', 'boolean'].includes(typeof value) ? value : null
}
