import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { CUSTOM_RANGE, previousPeriod, rangeOf, type TimeRange } from '../../lib/time/date-range.ts'
import { useZone } from '../../lib/time/time.ts'
import type { Customer } from '../customers/customer.ts'
import { type HistoryView, keyOfPoint, readHistoryView, writeHistoryView } from '../points/history-address.ts'
import { useSelectedPoints } from '../points/selected-points.ts'
import { type Report, viewOfReport } from '../reports/report.ts'
import { useSession } from '../session/session.ts'
import { useChartAlarms } from './api.ts'
import { isGhost, viewWithin } from './chart/chart-lines.ts'
import { useDrawing } from './chart/drawing.ts'
import { type ChosenPoint, useChosenPoints, useHistories } from './use-histories.ts'

const MINUTE_MS = 60_000

export type History = ReturnType<typeof useHistory>

/** The state of the history page. */
export function useHistory(area: Customer, report: Report | null) {
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
  const { points: selected, select } = useSelectedPoints(customerId)
  const { chosen, retry } = useChosenPoints(customerId, view.points, area.can('data:query-model'))
  const histories = useHistories({ customerId, chosen, range, previous, nowMs: asOf })
  const drawing = useDrawing(histories.lines)
  const found = chosen.flatMap(({ key, point }) => (point && !view.hidden.includes(key) ? [point] : []))
  const alarms = useChartAlarms(customerId, area.can('alarms:query') ? found : [], range)
  const hidden = view.hidden.join()
  const shown = useMemo(() => {
    const keys = hidden.split(',')
    return histories.lines.filter(({ key }) => !keys.includes(key))
  }, [histories.lines, hidden])
  const current = useMemo(() => shown.filter((line) => !isGhost(line)), [shown])
  const zoom = view.zoom && range ? viewWithin(view.zoom, range) : null
  const inView = useSame(zoom ?? range)

  function remove(key: string) {
    change({
      points: chosen.filter((one) => one.key !== key),
      hidden: view.hidden.filter((one) => one !== key)
    })
    select(selected.filter((one) => keyOfPoint(one) !== key))
  }

  /** A missing point has the name that its report was saved with. */
  function nameOf({ point, key, cloudId }: ChosenPoint): string {
    const kept = report?.points.find((one) => keyOfPoint(one) === key)
    return point?.displayName ?? kept?.pointName ?? cloudId
  }

  return {
    ...control,
    /** The present, to the minute. */
    asOf,
    refresh: () => setAsOf(now()),
    /** Null while a custom range is incomplete. */
    range,
    /** Null while the whole range is in view. */
    zoom,
    inView,
    zoomIn: (next: TimeRange | null) => zoomTo(next && range ? viewWithin(next, range) : null),
    ...{ zone, chosen, remove, retry, nameOf, histories },
    /** The visible lines with their alarms, for the chart on the page and for a picture of it. */
    chart: { lines: shown, drawing, zone, alarms, chosenAlarm: view.alarm, nowMs: asOf, axes: view.axes },
    /** The visible lines without those of the previous period. */
    current
  }
}

function useSame(range: TimeRange | null): TimeRange | null {
  const { fromMs, toMs } = range ?? {}
  return useMemo(() => (fromMs === undefined || toMs === undefined ? null : { fromMs, toMs }), [fromMs, toMs])
}

const SETTLED_MS = 300

/** The view in the address. A zoom shows at once; the address follows when zooming stops. */
function useHistoryView() {
  const [query, setQuery] = useSearchParams()
  const { tooMany, ...inAddress } = readHistoryView(query)
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
  return { view: moving ? { ...inAddress, zoom: moving.zoom } : inAddress, tooMany, change, zoomTo }
}
