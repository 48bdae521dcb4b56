// Recorded values of a point, in as many calls as they take, and the alarms of points.
import { useMemo } from 'react'
import { type HalAnswer, pageFrom } from '../../lib/http/hal.ts'
import { useQuery } from '../../lib/http/query.ts'
import { request } from '../../lib/http/request.ts'
import type { TimeRange } from '../../lib/time/date-range.ts'
import type { Point } from '../points/point.ts'
import { type AlarmRecord, alarmsWithin, type ChartAlarm } from './alarms/chart-alarms.ts'
import { isState } from './drawing/chart-lines.ts'
import { FEW_RECORDS, isOnChange, joined, LOOK_BACK_DAYS, lastOf } from './records/held-values.ts'
import {
  createCollector,
  type History,
  type HistoryRecord,
  NO_SAMPLES,
  type Samples
} from './records/history-samples.ts'

/** Small enough to be read without holding up the page. */
const RECORDS_AT_ONCE = 10_000
/** A chart of more would say nothing; whoever needs them exports them. */
const RECORDS_MAX = 1_000_000
const DAY_MS = 86_400_000

export interface HistoryQuery {
  customerId: string
  systemGuid: string
  point: Point
  range: TimeRange
  nowMs: number
}

interface Answer {
  pointDetails?: { pointId: string; historyRecords?: HistoryRecord[] }[]
  nextStartTime?: string
}

export interface LoadedHistory extends History {
  /** Whether there are more than are read. */
  truncated: boolean
  /**
   * Until when the last value is known to hold, in milliseconds; null where a value says nothing about the time after it.
   * The first sample may then be from before the range: what held when it began.
   */
  heldUntilMs: number | null
}

/** All records of the point within the range, cleaned, and what held before them where values hold. */
export async function fetchHistory(query: HistoryQuery, signal: AbortSignal): Promise<LoadedHistory> {
  const { point, range, nowMs } = query
  const own = await fetchRecords(query, signal)
  const state = isState(point)
  const few = own.times.length < FEW_RECORDS
  if (!state && !few && !isOnChange(own)) return { ...own, heldUntilMs: null }
  const known = own.times[0] === range.fromMs
  const before = known
    ? NO_SAMPLES
    : await fetchBefore(query, range.fromMs, signal, state ? 'state' : 'number')
  if (!state && !isOnChange(joined(before, own))) return { ...own, heldUntilMs: null }
  const heldUntilMs = own.truncated ? (own.times.at(-1) ?? range.fromMs) : Math.min(range.toMs, nowMs)
  return { ...own, ...joined(lastOf(before), own), heldUntilMs }
}

type Records = History & { truncated: boolean }

async function fetchRecords(query: HistoryQuery, signal: AbortSignal): Promise<Records> {
  const { customerId, systemGuid, point, range, nowMs } = query
  const collector = createCollector(point, range, nowMs)
  const endTime = new Date(range.toMs).toISOString()
  let startMs: number | null = range.fromMs
  let records = 0
  while (startMs !== null && records < RECORDS_MAX) {
    const answer: Answer = await request<Answer>('/api/v1/egress/telemetry', {
      method: 'POST',
      body: {
        systemGuid,
        pointIds: [point.pointId],
        startTime: new Date(startMs).toISOString(),
        endTime,
        limit: RECORDS_AT_ONCE
      },
      customerId,
      signal
    })
    const own = answer.pointDetails?.find(({ pointId }) => pointId === point.pointId)?.historyRecords ?? []
    collector.add(own)
    records += own.length
    const next = Date.parse(answer.nextStartTime ?? '')
    // One that does not move on would be asked for ever.
    startMs = next > startMs && next < range.toMs ? next : null
  }
  return { ...collector.finish(), truncated: startMs !== null }
}

/**
 * The records of the last days before a moment that has any, looked for further and further back: the upstream knows no
 * "last before". None when there is none.
 */
async function fetchBefore(
  query: Omit<HistoryQuery, 'range'>,
  beforeMs: number,
  signal: AbortSignal,
  what: keyof typeof LOOK_BACK_DAYS
): Promise<Samples> {
  let toMs = beforeMs
  for (const days of LOOK_BACK_DAYS[what]) {
    const fromMs = beforeMs - days * DAY_MS
    const found = await fetchRecords({ ...query, range: { fromMs, toMs } }, signal)
    if (found.times.length > 0) return found
    toMs = fromMs
  }
  return NO_SAMPLES
}

/** The time of the last record before a moment; null when there is none in a year. */
export async function fetchLatestRecord(
  query: Omit<HistoryQuery, 'range'>,
  beforeMs: number,
  signal: AbortSignal
): Promise<number | null> {
  return (await fetchBefore(query, beforeMs, signal, 'state')).times.at(-1) ?? null
}

/** One that was raised longer before the range is hardly one of it; alarms are kept no longer than twice that. */
const RAISED_BEFORE_MS = 30 * DAY_MS
/** The newest: a chart of more would be all shade. */
const ALARMS_MAX = 500
const NO_ALARMS: readonly ChartAlarm[] = []

/** The alarms of points that last within the range, the newest first; none while they are not known, or cannot be. */
export function useChartAlarms(
  customerId: string,
  points: readonly Pick<Point, 'cloudId' | 'systemGuid' | 'displayName'>[],
  range: TimeRange | null
): readonly ChartAlarm[] {
  const systemGuids = [...new Set(points.map(({ systemGuid }) => systemGuid))].sort()
  const asked =
    systemGuids.length > 0 && range
      ? `chart alarms ${customerId} ${systemGuids} ${range.fromMs} ${range.toMs}`
      : null
  const { data } = useQuery(asked, (_name, signal) =>
    fetchAlarms(customerId, systemGuids, range as TimeRange, signal)
  )
  const sources = points.map(({ cloudId }) => cloudId).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `sources` is what of the points matters here
  return useMemo(
    () => (data && range ? alarmsWithin(data, points, range) : NO_ALARMS),
    [data, range?.fromMs, range?.toMs, sources]
  )
}

async function fetchAlarms(
  customerId: string,
  systemGuids: readonly string[],
  { fromMs, toMs }: TimeRange,
  signal: AbortSignal
): Promise<AlarmRecord[]> {
  const query = `page=0&size=${ALARMS_MAX}&sortBy=timestamp&sortDir=desc`
  const answer = await request<HalAnswer<AlarmRecord>>(
    `/api/v1/alarms/customers/${encodeURIComponent(customerId)}/alarms:search?${query}`,
    {
      method: 'POST',
      body: {
        systemGuids,
        startTime: new Date(fromMs - RAISED_BEFORE_MS).toISOString(),
        endTime: new Date(toMs).toISOString()
      },
      signal
    }
  )
  return pageFrom(answer, 'alarms', (alarm) => alarm).items
}
