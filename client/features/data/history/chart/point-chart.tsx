import { useEffect, useMemo } from 'react'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { failureOf } from '../../../../lib/http/api-error.ts'
import { type QueryResult, useQuery } from '../../../../lib/http/query.ts'
import { useZone } from '../../../../lib/time/time.ts'
import { lazyChart } from '../../../../ui/chart/lazy-chart.tsx'
import { LoadFailed } from '../../../../ui/state/load-failed.tsx'
import { Skeleton } from '../../../../ui/state/loading.tsx'
import type { Point } from '../../points/point.ts'
import { fetchHistory, type LoadedHistory } from '../api.ts'
import { useLiveTail } from '../live-tail.ts'
import type { ChartAlarm } from './chart-alarms.ts'
import type { ChartLine } from './chart-lines.ts'
import { useDrawing } from './drawing.ts'

const load = async () => (await import('./history-chart.tsx')).HistoryChart

export const LazyHistoryChart = lazyChart(load)

export function useHistoryChartCode(): void {
  useEffect(() => void load().catch(() => {}), [])
}

export function usePointHistory(
  customerId: string,
  point: Point,
  range: TimeRange,
  nowMs: number
): QueryResult<LoadedHistory> {
  const { systemGuid, cloudId } = point
  return useQuery(
    `history ${customerId} ${systemGuid} ${cloudId} ${range.fromMs} ${range.toMs}`,
    (_name, signal) => fetchHistory({ customerId, point, range, nowMs }, signal),
    { revalidateOnFocus: false, revalidateIfStale: false }
  )
}

/** As `usePointHistory` for a range that ends now; new records are added, and the range moves on. */
export function useLivePointHistory(
  customerId: string,
  point: Point,
  range: TimeRange,
  nowMs: () => number
): { loaded: QueryResult<LoadedHistory>; range: TimeRange } {
  const load = usePointHistory(customerId, point, range, range.toMs)
  const live = useLiveTail({
    customerId,
    lines: load.data ? [{ id: point.cloudId, point, samples: load.data }] : [],
    loadedMs: range.toMs,
    enabled: load.data !== undefined && !load.data.truncated,
    nowMs
  })
  const samples = live.samples.get(point.cloudId)
  const data = useMemo(() => load.data && { ...load.data, ...samples }, [load.data, samples])
  const movedMs = Math.max((live.readMs ?? 0) - range.toMs, 0)
  const liveRange = useMemo(
    () => ({ fromMs: range.fromMs + movedMs, toMs: range.toMs + movedMs }),
    [range, movedMs]
  )
  return { loaded: { ...load, data }, range: liveRange }
}

interface PointChartProps {
  point: Point
  loaded: QueryResult<LoadedHistory>
  range: TimeRange
  nowMs: number
  height: number
  time: string
  alarms: readonly ChartAlarm[]
  chosenAlarm?: string
}

export function PointChart(props: PointChartProps) {
  const { point, loaded, range, nowMs, height, time, alarms, chosenAlarm = null } = props
  const zone = useZone()
  useHistoryChartCode()
  const { data, error, refetch } = loaded
  const lines = useMemo((): ChartLine[] => {
    if (!data) return []
    // The samples of an id only grow.
    const id = `${point.cloudId} ${data.times[0]}`
    const { displayName: name, cloudId: key } = point
    return [{ id, key, name, device: '', point, samples: data, color: 0, shiftMs: null }]
  }, [data, point])
  const drawing = useDrawing(lines)
  if (!data && error !== undefined)
    return (
      <LoadFailed onRetry={refetch}>
        {failureOf(error).title}. {failureOf(error).text}
      </LoadFailed>
    )
  if (!data) return <Skeleton width="100%" label={`Loading ${time}`} />
  if (data.times.length === 0) return <p className="muted">No records in {time}.</p>
  return (
    <LazyHistoryChart
      lines={lines}
      drawing={drawing}
      view={range}
      zone={zone}
      height={height}
      alarms={alarms}
      chosenAlarm={chosenAlarm}
      nowMs={nowMs}
    />
  )
}
