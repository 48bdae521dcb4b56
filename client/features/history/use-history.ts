import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { CUSTOM_RANGE, previousPeriod, rangeOf, type TimeRange } from '../../lib/time/date-range.ts'
import { useZone } from '../../lib/time/time.ts'
import type { Customer } from '../customers/customer.ts'
import {
  colored,
  type HistoryView,
  keyOfPoint,
  type PointRef,
  readHistoryView,
  writeHistoryView
} from '../points/history-address.ts'
import { useSelectedPoints } from '../points/selected-points.ts'
import { type Report, viewOfReport } from '../reports/report.ts'
import { useSession } from '../session/session.ts'
import type { ChartAlarm } from './alarms/chart-alarms.ts'
import { useChartAlarms } from './api.ts'
import { type ChartLine, isGhost, viewWithin } from './drawing/chart-lines.ts'
import { type Drawing, useDrawing } from './drawing/drawing.ts'
import { type ChosenPoint, useChosenPoints } from './points/use-chosen-points.ts'
import { type Histories, useHistories } from './records/use-histories.ts'

const MINUTE_MS = 60_000

export interface History extends HistoryControl {
  zone: string
  /** The present, to the minute. */
  asOf: number
  refresh: () => void
  /** Null while a range of its own is not complete. */
  range: TimeRange | null
  zoom: TimeRange | null
  /** The zoom, else the range. */
  inView: TimeRange | null
  zoomIn: (view: TimeRange | null) => void
  chosen: readonly ChosenPoint[]
  /** The points of the address, with their colours. */
  points: readonly PointRef[]
  remove: (key: string) => void
  retry: (key: string) => void
  /** A missing point has the name that its report was saved with. */
  nameOf: (point: ChosenPoint) => string
  histories: Histories
  drawing: Drawing | null
  /** Of visible points, within the range. */
  alarms: readonly ChartAlarm[]
  /** The lines that are not hidden; `current` leaves those of the previous period out. */
  shown: readonly ChartLine[]
  current: readonly ChartLine[]
}

export function useHistory(area: Customer, report: Report | null): History {
  const { customerId } = area
  const { nowMs } = useSession()
  const control = useHistoryView()
  const { view, change, zoomTo } = control
  const now = () => Math.floor(nowMs() / MINUTE_MS) * MINUTE_MS
  const [asOf, setAsOf] = useState(now)
  const own = useZone()
  const zone = view.zone ?? own

  // A report fills the address when it opens.
  const adopt = useEffectEvent(() => {
    if (report && view.points.length === 0) change(viewOfReport(report))
  })
  useEffect(() => adopt(), [])

  const range = useSame(view.filter === CUSTOM_RANGE ? view.custom : rangeOf(view.filter, asOf, zone))
  const previous = useSame(view.compare && range ? previousPeriod(view.filter, range, zone) : null)
  const points = colored(view.points)
  const { selected } = useSelectedPoints(customerId)
  const { chosen, retry } = useChosenPoints(customerId, view.points, area.can('data:query-model'))
  const histories = useHistories({ customerId, chosen, range, previous, nowMs: asOf })
  const drawing = useDrawing(histories.lines)
  const found = chosen.flatMap(({ key, point }) => (point && !view.hidden.includes(key) ? [point] : []))
  const alarms = useChartAlarms(customerId, area.can('alarms:query') ? found : [], range)
  const hiddenColors = chosen.flatMap(({ key, color }) => (view.hidden.includes(key) ? [color] : [])).join()
  const shown = useMemo(() => {
    const hidden = new Set(hiddenColors.split(',').filter(Boolean).map(Number))
    return histories.lines.filter(({ color }) => !hidden.has(color))
  }, [histories.lines, hiddenColors])
  const current = useMemo(() => shown.filter((line) => !isGhost(line)), [shown])
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
    points,
    remove(key) {
      const point = points.find((one) => keyOfPoint(one) === key)
      if (!point) return
      change({
        points: points.filter((one) => one !== point),
        hidden: view.hidden.filter((one) => one !== key)
      })
      selected.remove(point)
    },
    retry,
    nameOf: (one) =>
      one.point?.displayName ??
      report?.points.find((point) => keyOfPoint(point) === one.key)?.pointName ??
      one.ref.cloudId,
    histories,
    drawing,
    alarms,
    shown,
    current
  }
}

/** The same object as long as its ends are the same. */
function useSame(range: TimeRange | null): TimeRange | null {
  const { fromMs, toMs } = range ?? {}
  return useMemo(() => (fromMs === undefined || toMs === undefined ? null : { fromMs, toMs }), [fromMs, toMs])
}

const SETTLED_MS = 300

export interface HistoryControl {
  view: HistoryView
  /** Points that the address names beyond those that a chart takes. */
  tooMany: number
  change: (change: Partial<HistoryView>) => void
  /** The time in view moves with the pointer; the address follows once it rests. */
  zoomTo: (zoom: TimeRange | null) => void
}

/** The history that the address says. */
function useHistoryView(): HistoryControl {
  const [query, setQuery] = useSearchParams()
  const { tooMany, ...said } = readHistoryView(query)
  const [moving, setMoving] = useState<{ zoom: TimeRange | null } | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const change = useCallback(
    (next: Partial<HistoryView>) => {
      clearTimeout(timer.current)
      setMoving(null)
      setQuery((current) => writeHistoryView({ ...readHistoryView(current), ...next }, current), {
        replace: true
      })
    },
    [setQuery]
  )
  const zoomTo = useCallback(
    (zoom: TimeRange | null) => {
      setMoving({ zoom })
      clearTimeout(timer.current)
      timer.current = setTimeout(() => change({ zoom }), SETTLED_MS)
    },
    [change]
  )
  return { view: moving ? { ...said, zoom: moving.zoom } : said, tooMany, change, zoomTo }
}
