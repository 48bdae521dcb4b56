import { useEffect, useMemo } from 'react'
import { failureOf } from '../../../lib/http/api-error.ts'
import { type Load, useQuery } from '../../../lib/http/query.ts'
import type { TimeRange } from '../../../lib/time/date-range.ts'
import { useZone } from '../../../lib/time/time.ts'
import { lazyChart } from '../../../ui/chart/lazy-chart.tsx'
import { LoadFailed } from '../../../ui/state/load-failed.tsx'
import { Skeleton } from '../../../ui/state/loading.tsx'
import type { Point } from '../../points/point.ts'
import { fetchHistory, type LoadedHistory } from '../api.ts'
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
): Load<LoadedHistory> {
  const { systemGuid, cloudId } = point
  return useQuery(
    `history ${customerId} ${systemGuid} ${cloudId} ${range.fromMs} ${range.toMs}`,
    (_name, signal) => fetchHistory({ customerId, point, range, nowMs }, signal),
    { revalidateOnFocus: false, revalidateIfStale: false }
  )
}

interface PointChartProps {
  point: Point
  loaded: Load<LoadedHistory>
  range: TimeRange
  nowMs: number
  height: number
  time: string
  alarms: readonly ChartAlarm[]
  chosenAlarm?: string
}

export function PointChart({ point, loaded, range, nowMs, height, time, ...alarms }: PointChartProps) {
  const zone = useZone()
  useHistoryChartCode()
  const { data, error, reload } = loaded
  const lines = useMemo((): ChartLine[] => {
    if (!data) return []
    const id = `${point.cloudId} ${range.fromMs}`
    const { displayName: name, cloudId: key } = point
    return [{ id, key, name, device: '', point, samples: data, color: 0, shiftMs: null }]
  }, [data, point, range.fromMs])
  const drawing = useDrawing(lines)
  if (!data && error !== undefined)
    return (
      <LoadFailed onRetry={reload}>
        {failureOf(error).title}. {failureOf(error).text}
      </LoadFailed>
    )
  if (!data) return <Skeleton width="100%" label={`Loading ${time}`} />
  if (data.times.length === 0) return <p className="muted">No records in {time}.</p>
  return <LazyHistoryChart {...{ lines, drawing, zone, height, nowMs }} view={range} {...alarms} />
}
