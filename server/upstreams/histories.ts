// Calls of `/api/v1/egress`: fetches the recorded values of points, page by page.
import type { HistoryRecord } from '#shared/answers/points.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { problems } from '../errors.ts'
import type { CustomerSource } from './client.ts'
import { raw, text } from './fields.ts'

interface HistoryQuery {
  systemGuid: string
  pointIds: readonly string[]
  range: TimeRange
  /** Maximum number of records. */
  limit: number
}

export interface HistoryPage {
  /** The records by `pointId`, as the upstream sends them. */
  records: Map<string, readonly Partial<HistoryRecord>[]>
  /** The page has all records until this time. The next page begins here. */
  untilMs: number
}

/** Maximum length of a recorded text, of which a page in memory may have thousands. */
const TEXT_MAX_CHARACTERS = 500

/** Fetches the first records of a range. Throws a 502 problem if the answer cannot be continued. */
export async function fetchHistoryPage(
  { client, bearer, signal }: Omit<CustomerSource, 'customerId'>,
  { systemGuid, pointIds, range, limit }: HistoryQuery
): Promise<HistoryPage> {
  const startTime = new Date(range.fromMs).toISOString()
  const endTime = new Date(range.toMs).toISOString()
  const query = { systemGuid, pointIds, startTime, endTime, limit }
  const body = await client.search('EGRESS', '/api/v1/egress/telemetry', query, bearer, signal)
  const { pointDetails, nextStartTime } = raw(body)
  if (!Array.isArray(pointDetails)) throw problems.upstreamGarbled()
  const records = new Map(
    pointDetails.map(raw).map(({ pointId, historyRecords }) => {
      return [text(pointId), Array.isArray(historyRecords) ? historyRecords.map(raw) : []] as const
    })
  )
  assertWithinLimits([...records.values()].flat(), limit + pointIds.length)
  if (nextStartTime === undefined || nextStartTime === null) return { records, untilMs: range.toMs }
  const nextMs = Date.parse(text(nextStartTime))
  // A start that does not advance would repeat the call for ever.
  if (!(nextMs > range.fromMs)) throw problems.upstreamGarbled(new Error('nextStartTime does not advance'))
  return { records, untilMs: Math.min(nextMs, range.toMs) }
}

/** @param recordsMax one more for each point than the limit, because an upstream may complete the last time */
function assertWithinLimits(records: readonly Partial<HistoryRecord>[], recordsMax: number): void {
  if (records.length > recordsMax) throw problems.upstreamTooLarge(`more than ${recordsMax} records`)
  const isTooLong = (value: unknown) => text(value).length > TEXT_MAX_CHARACTERS
  if (records.some(({ value, status, timestamp }) => [value, status, timestamp].some(isTooLong)))
    throw problems.upstreamTooLarge(`a text of more than ${TEXT_MAX_CHARACTERS} characters`)
}
