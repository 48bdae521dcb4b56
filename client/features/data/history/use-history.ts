import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { CUSTOM_RANGE, rangeOf, type TimeRange } from '#shared/time/date-ranges.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useZone } from '../../../lib/time/time.ts'
import type { Customer } from '../../sites/customers/customer.tsx'
import {
  comparedPeriod,
  type HistoryView,
  keyOfPoint,
  readHistoryView,
  writeHistoryView
} from '../points/history-address.ts'
import { useSelectedPoints } from '../points/selected-points.ts'
import { type Report, viewOfReport } from '../reports/report.ts'
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
  /** When the range was chosen or refreshed. */
  const [loadedMs, setLoadedMs] = useState(now)
  const userZone = useZone()
  const zone = view.zone ?? userZone

  // An opened report writes its view to the address. A link may name another period.
  const openReport = useEffectEvent(() => {
    if (!report || view.points.length > 0) return
    const { points, ...range } = viewOfReport(report)
    change(view.custom ? { points } : { points, ...range })
  })
  useEffect(() => openReport(), [])

  const rangeAt = (ms: number) =>
    view.filter === CUSTOM_RANGE ? view.custom : rangeOf(view.filter, ms, zone)
  const loadedRange = useStableRange(rangeAt(loadedMs))
  const endsNow = loadedRange !== null && loadedRange.toMs >= loadedMs
  const isFollowed = view.live && endsNow && !view.paper
  const previous = useStableRange(loadedRange && comparedPeriod(view, loadedRange, zone))
  const { points: selected, select } = useSelectedPoints(customerId)
  const { chosen, retry } = useChosenPoints(customerId, view.points, area.can('data:query-model'))
  const histories = useHistories({
    customerId,
    chosen,
    range: loadedRange,
    previous,
    asOf: loadedMs,
    isLive: isFollowed,
    nowMs
  })
  const asOf = Math.max(loadedMs, histories.live.readMs ?? loadedMs)
  const range = useStableRange(endsNow ? rangeAt(asOf) : loadedRange)
  const drawing = useDrawing(histories.lines)
  const points = chosen.flatMap(({ key, point }) => (point && !view.hidden.includes(key) ? [point] : []))
  const { alarms, note: alarmNote } = useChartAlarms(customerId, area.can('alarms:query') ? points : [], {
    range,
    loadedRange,
    isFollowed
  })
  const hiddenText = view.hidden.join()
  const hiddenKeys = useMemo(() => hiddenText.split(','), [hiddenText])
  const current = useMemo(
    () => histories.lines.filter((line) => !isGhost(line) && !hiddenKeys.includes(line.key)),
    [histories.lines, hiddenKeys]
  )
  // A zoom that reached the end of the range when it was chosen moves on with new records.
  const [reachedEnd, setReachedEnd] = useState(true)
  const chosenZoom = view.zoom && range ? viewWithin(view.zoom, range) : null
  const isAtEnd =
    reachedEnd && chosenZoom !== null && loadedRange !== null && chosenZoom.toMs >= loadedRange.toMs
  const zoom = range && isAtEnd ? endingAt(range.toMs, chosenZoom) : chosenZoom
  const inView = useStableRange(zoom ?? range)

  // The same function and view until something changes, because new ones would render all charts again.
  const zoomIn = useCallback(
    (next: TimeRange | null) => {
      const nextZoom = next && range ? viewWithin(next, range) : null
      setReachedEnd(nextZoom !== null && nextZoom.toMs === range?.toMs)
      zoomTo(nextZoom)
    },
    [range, zoomTo]
  )

  function remove(key: string) {
    change({
      points: chosen.filter((chosenPoint) => chosenPoint.key !== key),
      hidden: view.hidden.filter((hiddenKey) => hiddenKey !== key)
    })
    select(selected.filter((point) => keyOfPoint(point) !== key))
  }

  /** The names of the point and its device, or those stored in the report. Null for what is not loaded or was deleted. */
  function knownNamesOf({ point, device, key }: ChosenPoint) {
    const savedPoint = report?.points.find((savedPoint) => keyOfPoint(savedPoint) === key)
    return {
      pointName: point?.displayName ?? savedPoint?.pointName ?? null,
      deviceName: device?.deviceName ?? savedPoint?.deviceName ?? null
    }
  }

  return {
    ...control,
    /** The time until which records were read. */
    asOf,
    refresh: () => setLoadedMs(now()),
    /** Whether the range ends now, so that it can be followed. */
    endsNow,
    isFollowed,
    /** Null while a custom range is incomplete. */
    range,
    /** The period to compare with; null without a comparison. */
    previous,
    /** Null while the whole range is in view. */
    zoom,
    inView,
    zoomIn,
    zone,
    chosen,
    remove,
    retry,
    knownNamesOf,
    histories,
    /** The name to show. A point without a known name has the number of its colour. */
    nameOf: (chosenPoint: ChosenPoint) =>
      knownNamesOf(chosenPoint).pointName ?? `Point ${chosenPoint.color + 1}`,
    /** All lines with the alarms of the visible ones, for the chart on the page and for a picture of it. */
    chart: {
      lines: histories.lines,
      hiddenKeys,
      isSeparate: view.separate,
      drawing,
      zone,
      alarms,
      chosenAlarm: view.alarm,
      nowMs: asOf,
      axes: view.axes
    },
    /** Says which alarms the chart does not mark. */
    alarmNote,
    /** The visible lines without those of the previous period. */
    current
  }
}

function useStableRange(range: TimeRange | null): TimeRange | null {
  const { fromMs, toMs } = range ?? {}
  return useMemo(() => (fromMs === undefined || toMs === undefined ? null : { fromMs, toMs }), [fromMs, toMs])
}

const endingAt = (toMs: number, zoom: TimeRange): TimeRange => ({
  fromMs: toMs - (zoom.toMs - zoom.fromMs),
  toMs
})

/** A period that a link compares with does not belong to another range. */
function changedView(view: HistoryView, next: Partial<HistoryView>): HistoryView {
  const namesPeriod = view.compare !== null && typeof view.compare === 'object'
  const compare = namesPeriod && next.filter !== undefined ? 'before' : view.compare
  return { ...view, compare, ...next }
}

const ZOOM_SETTLE_MS = 300

/** The view in the address. A zoom shows at once; the address changes when zooming stops. */
function useHistoryView() {
  const [query, setQuery] = useSearchParams()
  const { tooMany, ...view } = useMemo(() => readHistoryView(query), [query])
  const [pendingZoom, setPendingZoom] = useState<{ zoom: TimeRange | null } | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const change = useCallback(
    (next: Partial<HistoryView>) => {
      clearTimeout(timer.current)
      setPendingZoom(null)
      setQuery((current) => writeHistoryView(changedView(readHistoryView(current), next), current), {
        replace: true
      })
    },
    [setQuery]
  )
  const zoomTo = useCallback(
    (zoom: TimeRange | null) => {
      setPendingZoom({ zoom })
      clearTimeout(timer.current)
      timer.current = setTimeout(() => change({ zoom }), ZOOM_SETTLE_MS)
    },
    [change]
  )
  return { view: pendingZoom ? { ...view, zoom: pendingZoom.zoom } : view, tooMany, change, zoomTo }
}
