import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useZone } from '../../components/moment.tsx'
import { type ChartLine, viewWithin } from '../../lib/chart-lines.ts'
import { CUSTOM_RANGE, previousPeriod, rangeOf, type TimeRange } from '../../lib/date-range.ts'
import type { Drawing } from '../../lib/drawing.ts'
import { keyOfPoint } from '../../lib/history-view.ts'
import { type Report, viewOfReport } from '../../lib/report.ts'
import { useDrawing } from '../../lib/use-drawing.ts'
import { useSession } from '../../session/session.ts'
import type { CustomerArea } from '../../session/use-customer-area.ts'
import { type ChosenPoint, useChosenPoints } from './use-chosen-points.ts'
import { type Histories, useHistories } from './use-histories.ts'
import { type HistoryControl, useHistoryView } from './use-history-view.ts'

const MINUTE_MS = 60_000

export interface History extends HistoryControl {
  zone: string
  /** What "today" is counted from, to the minute. */
  asOf: number
  refresh: () => void
  /** Null while a range of its own is not complete, and without a zoom. */
  range: TimeRange | null
  zoom: TimeRange | null
  /** The zoom, else the range. */
  inView: TimeRange | null
  zoomIn: (view: TimeRange | null) => void
  chosen: readonly ChosenPoint[]
  retry: (key: string) => void
  /** Of a point that is missing, what it was called when its report was saved. */
  nameOf: (point: ChosenPoint) => string
  histories: Histories
  drawing: Drawing | null
  /** The lines that are not hidden; `current` leaves those of the previous period out. */
  shown: readonly ChartLine[]
  current: readonly ChartLine[]
}

/** From what the address says to what is drawn. */
export function useHistory(area: CustomerArea, report: Report | null): History {
  const { customerId } = area
  const { nowMs } = useSession()
  const control = useHistoryView()
  const { view, change, zoomTo } = control
  const now = () => Math.floor(nowMs() / MINUTE_MS) * MINUTE_MS
  const [asOf, setAsOf] = useState(now)
  const own = useZone()
  const zone = view.zone ?? own

  // A report's address says what it shows as soon as it is there; from then on it can be changed like any other.
  const adopt = useEffectEvent(() => {
    if (report && view.points.length === 0) change(viewOfReport(report))
  })
  useEffect(() => adopt(), [])

  const range = useSame(view.filter === CUSTOM_RANGE ? view.custom : rangeOf(view.filter, asOf, zone))
  const previous = useSame(view.compare && range ? previousPeriod(view.filter, range, zone) : null)
  const { chosen, retry } = useChosenPoints(customerId, view.points, area.can('data:query-model'))
  const histories = useHistories({ customerId, chosen, range, previous, nowMs: asOf })
  const drawing = useDrawing(histories.lines)
  const hiddenKeys = view.hidden.join()
  const places = view.points.map(keyOfPoint).join()
  const shown = useMemo(() => {
    const keys = places.split(',')
    const hidden = hiddenKeys.split(',')
    return histories.lines.filter(({ color }) => !hidden.includes(keys[color] ?? ''))
  }, [histories.lines, hiddenKeys, places])
  const current = useMemo(() => shown.filter(({ shiftMs }) => shiftMs === null), [shown])
  const zoom = view.zoom && range ? viewWithin(view.zoom, range) : null
  const inView = useSame(zoom ?? range)

  return {
    ...control,
    zone,
    asOf,
    refresh: () => setAsOf(now()),
    range,
    zoom,
    inView,
    zoomIn: (next) => zoomTo(next && range ? viewWithin(next, range) : null),
    chosen,
    retry,
    nameOf: (one) =>
      one.point?.displayName ??
      report?.points.find((point) => keyOfPoint(point) === one.key)?.pointName ??
      one.ref.cloudId,
    histories,
    drawing,
    shown,
    current
  }
}

/** The same object as long as its ends are the same. */
function useSame(range: TimeRange | null): TimeRange | null {
  const { fromMs, toMs } = range ?? {}
  return useMemo(() => (fromMs === undefined || toMs === undefined ? null : { fromMs, toMs }), [fromMs, toMs])
}
