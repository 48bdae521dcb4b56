import { useMemo } from 'react'
import { failureOf } from '../../lib/http/api-error.ts'
import { useLoads } from '../../lib/loads.ts'
import type { TimeRange } from '../../lib/time/date-range.ts'
import { useZone } from '../../lib/time/time.ts'
import { Skeleton } from '../../ui/state/loading.tsx'
import type { Point } from '../points/point.ts'
import type { ChartAlarm } from './alarms/chart-alarms.ts'
import { fetchHistory, type LoadedHistory } from './api.ts'
import type { ChartLine } from './drawing/chart-lines.ts'
import { useDrawing } from './drawing/drawing.ts'
import { LazyHistoryChart, useHistoryChartCode } from './drawing/lazy-history-chart.tsx'

interface PointHistory {
  history: LoadedHistory | null
  error: unknown
  retry: () => void
}

/** What was recorded of one point. */
export function usePointHistory(
  customerId: string,
  point: Point,
  range: TimeRange,
  nowMs: number
): PointHistory {
  const key = `${point.cloudId} ${range.fromMs} ${range.toMs}`
  const { loads, states } = useLoads(
    [
      {
        key,
        load: (signal) =>
          fetchHistory({ customerId, systemGuid: point.systemGuid, point, range, nowMs }, signal)
      }
    ],
    1
  )
  const state = states.get(key)
  return {
    history: state?.state === 'ready' ? state.value : null,
    error: state?.state === 'failed' ? state.error : undefined,
    retry: () => loads.retry(key)
  }
}

interface PointChartProps {
  point: Point
  loaded: PointHistory
  range: TimeRange
  nowMs: number
  height: number
  /** "the last 24 hours". */
  time: string
  alarms: readonly ChartAlarm[]
  chosenAlarm?: string
}

/** One point over a fixed time, as it stands beside other things about it. */
export function PointChart({ point, loaded, range, nowMs, height, time, ...alarms }: PointChartProps) {
  const zone = useZone()
  useHistoryChartCode()
  const { history, error, retry } = loaded
  const lines = useMemo(
    (): ChartLine[] =>
      history
        ? [
            {
              id: `${point.cloudId} ${range.fromMs}`,
              name: point.displayName,
              device: '',
              point,
              samples: history,
              color: 0,
              shiftMs: null
            }
          ]
        : [],
    [history, point, range.fromMs]
  )
  const drawing = useDrawing(lines)
  if (error !== undefined)
    return (
      <p role="alert">
        {failureOf(error).title}. {failureOf(error).text}{' '}
        <button type="button" className="link-button" onClick={retry}>
          Retry
        </button>
      </p>
    )
  if (!history) return <Skeleton width="100%" label={`Loading ${time}`} />
  if (history.times.length === 0) return <p className="muted">No records in {time}.</p>
  return <LazyHistoryChart {...{ lines, drawing, zone, height, nowMs }} view={range} {...alarms} />
}
