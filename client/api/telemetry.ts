// Recorded values of a point (§7, A-8), in as many calls as they take.

import type { TimeRange } from '../lib/date-range.ts'
import { createCollector, type History, type HistoryRecord } from '../lib/history-samples.ts'
import type { Point } from '../lib/points.ts'
import { request } from './request.ts'

/** Small enough to be read without holding up the page. */
const RECORDS_AT_ONCE = 10_000
/** A chart of more would say nothing; whoever needs them exports them. */
export const RECORDS_MAX = 1_000_000

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
}

/** All records of the point within the range, cleaned. */
export async function fetchHistory(query: HistoryQuery, signal: AbortSignal): Promise<LoadedHistory> {
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

/** The time of the last record before a moment, looked for further and further back; null when there is none in a year. */
export async function fetchLatestRecord(
  { customerId, systemGuid, point, nowMs }: Omit<HistoryQuery, 'range'>,
  beforeMs: number,
  signal: AbortSignal
): Promise<number | null> {
  const day = 86_400_000
  let toMs = beforeMs
  for (const days of [1, 7, 30, 90, 365]) {
    const fromMs = beforeMs - days * day
    const range = { fromMs, toMs }
    const { times } = await fetchHistory({ customerId, systemGuid, point, range, nowMs }, signal)
    const last = times.at(-1)
    if (last !== undefined) return last
    toMs = fromMs
  }
  return null
}
