// Reads the recorded values of a point, page by page, and the alarms of charted points.
import { useMemo } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'
import type { Histories, HistoryRecord } from '#shared/answers/points.ts'
import { calls } from '#shared/calls.ts'
import { NUMBER_DAYS_BEFORE, STATE_DAYS_BEFORE, wasRecordedOnChange } from '#shared/history/on-change.ts'
import { isState } from '#shared/history/point-type.ts'
import { NO_SAMPLES, type Samples } from '#shared/history/samples.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { formatNumber } from '../../../lib/format.ts'
import { type HalAnswer, itself, pageFrom } from '../../../lib/http/hal.ts'
import { type QueryResult, useQuery } from '../../../lib/http/query.ts'
import { request } from '../../../lib/http/request.ts'
import { usePollMs } from '../../../lib/live/live.ts'
import type { Point } from '../points/point.ts'
import {
  ALARMS_READ_MAX,
  alarmsWithin,
  type ChartAlarm,
  followedAlarmsKey,
  isWithin,
  RAISED_BEFORE_DAYS
} from './chart/chart-alarms.ts'
import { createCollector, type History, joined, type RecordNote } from './chart/history-samples.ts'

const RECORDS_AT_ONCE = 10_000
/** Maximum number of records of a point in a chart; exports have no limit. */
const RECORDS_MAX = 1_000_000
const TRUNCATED: RecordNote = {
  text: 'There are more records than a chart can show. The chart ends before the range does.',
  records: null
}
const DAY_MS = 86_400_000

export interface HistoryQuery {
  customerId: string
  point: Point
  range: TimeRange
  nowMs: number
}

/** If values hold until the next record, the first sample may be older than the range. */
export interface LoadedHistory extends History {
  /** Whether some records of the range were not loaded. */
  truncated: boolean
}

/** The point's records within the range. If values hold, also the last record before the range. */
export async function fetchHistory(query: HistoryQuery, signal: AbortSignal): Promise<LoadedHistory> {
  const { point, range, nowMs } = query
  const history = await fetchRecords(query, signal)
  const state = isState(point)
  const isMeasured = (before: Samples | null) =>
    !state && wasRecordedOnChange(history, before, range.fromMs) === false
  if (isMeasured(null)) return history
  const startsWithState = state && history.times[0] === range.fromMs
  const days = state ? STATE_DAYS_BEFORE : NUMBER_DAYS_BEFORE
  const earlierSamples = startsWithState ? NO_SAMPLES : await fetchBefore(query, range.fromMs, days, signal)
  if (isMeasured(earlierSamples)) return history
  const lastSample = { times: earlierSamples.times.slice(-1), values: earlierSamples.values.slice(-1) }
  const validUntilMs = history.truncated
    ? (history.times.at(-1) ?? range.fromMs)
    : Math.min(range.toMs, nowMs)
  return { ...history, ...joined(lastSample, history), validUntilMs }
}

async function fetchRecords(query: HistoryQuery, signal: AbortSignal): Promise<LoadedHistory> {
  const { customerId, point, range, nowMs } = query
  const collector = createCollector(point, range, nowMs)
  const truncated = await readRecords({ customerId, points: [point], range, signal }, (_point, records) =>
    collector.add(records)
  )
  const { notes, ...samples } = collector.finish()
  return { ...samples, truncated, notes: truncated ? [...notes, TRUNCATED] : notes }
}

interface RecordsQuery {
  customerId: string
  /** Points of one device. */
  points: readonly Point[]
  range: TimeRange
  signal: AbortSignal
  background?: true
}

/** Reads the records of the range, page by page. Returns whether some of them were not read. */
async function readRecords(
  { customerId, points, range, signal, background }: RecordsQuery,
  onRecords: (point: Point, records: readonly HistoryRecord[]) => void
): Promise<boolean> {
  const systemGuid = points[0]?.systemGuid
  const pointIds = points.map(({ pointId }) => pointId)
  const endTime = new Date(range.toMs).toISOString()
  let startMs: number | null = range.fromMs
  let recordCount = 0
  while (startMs !== null && recordCount < RECORDS_MAX) {
    const startTime = new Date(startMs).toISOString()
    const body = { systemGuid, pointIds, startTime, endTime, limit: RECORDS_AT_ONCE }
    const answer: Histories = await request<Histories>(calls.telemetry, {
      method: 'POST',
      body,
      customerId,
      signal,
      ...(background ? { background } : {})
    })
    for (const point of points) {
      const details = answer.pointDetails?.find(({ pointId }) => pointId === point.pointId)
      const records = details?.historyRecords ?? []
      onRecords(point, records)
      recordCount += records.length
    }
    const nextMs = Date.parse(answer.nextStartTime ?? '')
    // A start that does not advance would repeat the call for ever.
    startMs = nextMs > startMs && nextMs < range.toMs ? nextMs : null
  }
  return startMs !== null
}

interface LineSince {
  id: string
  point: Point
  fromMs: number
}

/** The records of each line since its `fromMs`, by line id, with one call for each device. */
export async function fetchSince(
  customerId: string,
  lines: readonly LineSince[],
  nowMs: number,
  signal: AbortSignal
): Promise<Map<string, Samples>> {
  const samples = new Map<string, Samples>()
  const linesBySystem = Map.groupBy(lines, ({ point }) => point.systemGuid)
  await Promise.all(
    Array.from(linesBySystem.values(), async (systemLines) => {
      const fromMs = Math.min(...systemLines.map((line) => line.fromMs))
      if (fromMs >= nowMs) return
      const collectors = new Map(
        systemLines.map((line) => {
          const range = { fromMs: line.fromMs, toMs: nowMs }
          return [line.point, createCollector(line.point, range, nowMs)]
        })
      )
      const points = [...collectors.keys()]
      const range = { fromMs, toMs: nowMs }
      await readRecords({ customerId, points, range, signal, background: true }, (point, records) =>
        collectors.get(point)?.add(records)
      )
      for (const { id, point } of systemLines) {
        const collector = collectors.get(point)
        if (collector) samples.set(id, collector.finish())
      }
    })
  )
  return samples
}

/** The last records before a time. The upstream has no query for them, so earlier periods are searched in turn. */
async function fetchBefore(
  query: Omit<HistoryQuery, 'range'>,
  beforeMs: number,
  lookBackDays: readonly number[],
  signal: AbortSignal
): Promise<Samples> {
  let toMs = beforeMs
  for (const days of lookBackDays) {
    const fromMs = beforeMs - days * DAY_MS
    const samples = await fetchRecords({ ...query, range: { fromMs, toMs } }, signal)
    if (samples.times.length > 0) return samples
    toMs = fromMs
  }
  return NO_SAMPLES
}

export async function fetchLatestRecord(
  query: Omit<HistoryQuery, 'range'>,
  signal: AbortSignal
): Promise<number | null> {
  return (await fetchBefore(query, query.nowMs, STATE_DAYS_BEFORE, signal)).times.at(-1) ?? null
}

/** Alarms of a page. */
const ALARMS_AT_ONCE = 500
/** Interval for polling the alarms of a followed range, while the live stream does not say what has changed. */
const FOLLOWED_MS = 60_000
const NO_ALARMS: readonly ChartAlarm[] = []

interface AlarmBody {
  systemGuids: readonly string[]
  startTime: string
  /** Undefined for all alarms since the start. */
  endTime: string | undefined
}

/** A page of alarms, newest first. */
async function fetchAlarms(customerId: string, body: AlarmBody, page: number, signal: AbortSignal) {
  const path = `${calls.alarmSearch(customerId)}?page=${page}&size=${ALARMS_AT_ONCE}&sortBy=timestamp&sortDir=desc`
  const answer = await request<HalAnswer<Alarm>>(path, { method: 'POST', body, signal })
  return pageFrom(answer, 'alarms', itself<Alarm>)
}

const sinceStartOf = ({ fromMs }: TimeRange): TimeRange => ({ fromMs, toMs: Number.POSITIVE_INFINITY })

export interface AlarmsOfPeriod {
  /** Newest first. */
  alarms: readonly Alarm[]
  /** Whether there are more alarms than were read. */
  isCut: boolean
}

/**
 * The alarms of devices that overlap a period. Without devices, loads nothing.
 * @param isFollowed whether the period goes on: later alarms are of it too, and what changes is read again
 */
export function useAlarmsOfPeriod(
  customerId: string,
  systems: readonly string[],
  range: TimeRange | null,
  isFollowed = false
): QueryResult<AlarmsOfPeriod> {
  const pollMs = usePollMs(FOLLOWED_MS)
  const body: AlarmBody | null = range && {
    systemGuids: [...new Set(systems)].sort(),
    startTime: new Date(range.fromMs - RAISED_BEFORE_DAYS * DAY_MS).toISOString(),
    endTime: isFollowed ? undefined : new Date(range.toMs).toISOString()
  }
  const prefix = isFollowed ? followedAlarmsKey(customerId) : `alarms of ${customerId} `
  return useQuery(
    body && systems.length > 0 ? prefix + JSON.stringify(body) : null,
    async (_name, signal) => {
      const alarms: Alarm[] = []
      for (let number = 0; body && range; number += 1) {
        const { items, page } = await fetchAlarms(customerId, body, number, signal)
        alarms.push(...items)
        const isLast = items.length === 0 || number + 1 >= page.totalPages
        if (isLast || alarms.length >= ALARMS_READ_MAX)
          return {
            alarms: alarms.filter((alarm) => isWithin(alarm, isFollowed ? sinceStartOf(range) : range)),
            isCut: !isLast
          }
      }
      return { alarms, isCut: false }
    },
    { revalidateOnFocus: isFollowed, refreshInterval: isFollowed ? pollMs : 0 }
  )
}

export interface ChartAlarms {
  /** The points' alarms that overlap the range, newest first. Empty while alarms load or after a failure. */
  alarms: readonly ChartAlarm[]
  /** Which alarms are not marked; null if all are, or while they load. */
  note: string | null
}

interface ChartPeriod {
  range: TimeRange | null
  /** A followed range before it moved on, so that the same alarms are read all the time. */
  loadedRange: TimeRange | null
  isFollowed: boolean
}

export function useChartAlarms(
  customerId: string,
  points: readonly Pick<Point, 'cloudId' | 'systemGuid' | 'displayName'>[],
  { range, loadedRange, isFollowed }: ChartPeriod
): ChartAlarms {
  const systems = points.map(({ systemGuid }) => systemGuid)
  const period = isFollowed ? loadedRange : range
  const { data, error } = useAlarmsOfPeriod(customerId, systems, period, isFollowed)
  const sources = points.map(({ cloudId }) => cloudId).join()
  // The same alarms while a followed range moves on, because new ones would draw the chart twice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `sources` covers the points
  const alarms = useMemo(
    () =>
      data && period
        ? alarmsWithin(data.alarms, points, isFollowed ? sinceStartOf(period) : period)
        : NO_ALARMS,
    [data, period?.fromMs, period?.toMs, isFollowed, sources]
  )
  if (!data) return { alarms, note: error === undefined ? null : UNREAD_ALARMS }
  return { alarms, note: data.isCut ? UNMARKED_ALARMS : null }
}

const UNREAD_ALARMS = 'Alarms could not be loaded, so none are marked.'
const UNMARKED_ALARMS = `Only alarms among the newest ${formatNumber(ALARMS_READ_MAX)} are marked.`
