import './history-chart.css'
import {
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState
} from 'react'
import { durationText } from '../../../lib/duration.ts'
import type { TimeRange } from '../../../lib/time/date-range.ts'
import { formatDay } from '../../../lib/time/time.ts'
import { Chart, type CursorPlace } from '../../../ui/chart/chart.tsx'
import { FLAT_AXIS_HEIGHT, TIME_AXIS_HEIGHT } from '../../../ui/chart/chart-axes.ts'
import type { AxisChoice } from '../../../ui/chart/chart-series.ts'
import { laneHeight } from '../../../ui/chart/lanes.ts'
import { type ChartAlarm, limitsOf, marksOf } from './chart-alarms.ts'
import { axisOf, type ChartLine, describeSample, isGhost, numberSeries } from './chart-lines.ts'
import { type Drawing, type DrawnPicture, type DrawnPictures, useDrawn } from './drawing.ts'
import { HistoryTooltip } from './history-tooltip.tsx'
import { PanelHead } from './panel-head.tsx'
import { readingsAt } from './readings.ts'
import { laneSeries } from './states.ts'

export interface HistoryChartProps {
  /** Includes the lines of a previous period. */
  lines: readonly ChartLine[]
  /** Lines that are named but not drawn. */
  hidden?: readonly ChartLine[]
  drawing: Drawing | null
  view: TimeRange
  zone: string
  height: number
  alarms?: readonly ChartAlarm[]
  /** The uuid of the alarm in the address. */
  chosenAlarm?: string | null
  /** The current time, until which active states and alarms are drawn. */
  nowMs: number
  axes?: Readonly<Record<string, AxisChoice>> | undefined
  onAxis?: (unit: string, choice: AxisChoice | null) => void
  /** Called with the view to show; null for the whole range. */
  onView?: ((view: TimeRange | null) => void) | undefined
  /** Called when a line's name is pressed; `withCtrl` to toggle the line. */
  onPick?: (line: ChartLine, withCtrl: boolean) => void
  /** Called once the charts are drawn, with their note about averages. */
  onDrawn?: (note: string | null) => void
}

const EMPTY: readonly never[] = []

/** Panels with a shared time axis. A panel shows the numbers of up to two units, or one state. */
export function HistoryChart(props: HistoryChartProps) {
  const { lines, drawing, view, zone, height, nowMs } = props
  const { hidden = EMPTY, alarms = EMPTY, chosenAlarm = null } = props
  const container = useRef<HTMLDivElement>(null)
  const width = useWidth(container)
  const drawnPictures = useDrawn(lines, drawing, view, width, zone)
  const { cursor, top, move, follow } = useCursor()
  /** The highlighted values of each state, by picture id. */
  const [highlights, setHighlights] = useState<Record<string, readonly number[]>>({})
  const bucketMs = drawnPictures?.pictures.find(({ drawn }) => drawn.bucketMs)?.drawn.bucketMs
  const note = bucketMs ? `Line: average of ${durationText(bucketMs)}. Band: min to max.` : null
  const announceDrawn = useEffectEvent(() => props.onDrawn?.(note))
  useEffect(() => {
    if (drawnPictures) announceDrawn()
  }, [drawnPictures])
  const marks = useMemo(
    () => marksOf(alarms, { zone, nowMs, chosen: chosenAlarm }),
    [alarms, zone, nowMs, chosenAlarm]
  )
  const readings = useMemo(() => {
    if (!drawnPictures) return null
    return readingsAt(drawnPictures.pictures, cursor?.ms ?? lastSampleMs(drawnPictures))
  }, [drawnPictures, cursor?.ms])
  const pictures = drawnPictures?.pictures ?? []
  const sides = pictures.some((picture) => new Set(picture.lines.map(axisOf)).size > 1) ? 2 : 1
  return (
    <div className="history-chart">
      {note && <p className="chart-note">{note}</p>}
      <div className="anchor" ref={container} onPointerMove={follow}>
        {drawnPictures &&
          readings &&
          pictures.map((picture, index) => (
            <section key={picture.id} className="chart-panel">
              <PanelHead
                {...props}
                {...{ picture, hidden, readings }}
                view={drawnPictures.view}
                isAtCursor={cursor !== null}
                picked={picture.state ? (highlights[picture.id] ?? EMPTY) : EMPTY}
                onPicked={(values) => setHighlights({ ...highlights, [picture.id]: values })}
              />
              <Picture
                {...{ picture, alarms, marks, zone, height, sides, width }}
                view={drawnPictures.view}
                isFirst={index === 0}
                isLast={index === pictures.length - 1}
                picked={highlights[picture.id] ?? EMPTY}
                onCursor={move}
                axes={props.axes}
                onView={props.onView}
              />
            </section>
          ))}
        {cursor && readings && (
          <HistoryTooltip
            {...{ lines, alarms, readings, zone, top, width }}
            cursorMs={cursor.ms}
            left={cursor.left}
          />
        )}
      </div>
    </div>
  )
}

function lastSampleMs({ pictures, view }: DrawnPictures): number {
  const lines = pictures.flatMap(({ lines }) => lines.filter((line) => !isGhost(line)))
  return Math.min(view.toMs, Math.max(view.fromMs, ...lines.map(({ samples }) => samples.times.at(-1) ?? 0)))
}

interface PictureProps extends Pick<HistoryChartProps, 'zone' | 'height' | 'onView' | 'axes'> {
  picture: DrawnPicture
  view: TimeRange
  alarms: readonly ChartAlarm[]
  marks: ReturnType<typeof marksOf>
  isFirst: boolean
  isLast: boolean
  picked: readonly number[]
  sides: 1 | 2
  width: number
  onCursor: (at: CursorPlace | null) => void
}

/** Memoized, so that moving the cursor does not render the pictures again. */
const Picture = memo(function Picture(props: PictureProps) {
  const { picture, view, alarms, marks, isFirst, isLast, picked, zone, height, sides, width } = props
  const { lines, state, name, drawn } = picture
  const series = useMemo(
    () =>
      state
        ? [laneSeries(state, lines, view, width, picked)]
        : lines.map((line, at) => numberSeries(line, drawn.lines[at])),
    [state, lines, drawn, view, width, picked]
  )
  const limits = useMemo(() => limitsOf(alarms, lines), [alarms, lines])
  const days = [view.fromMs, view.toMs - 1].map((ms) => formatDay(ms, zone))
  const axisHeight = isLast ? TIME_AXIS_HEIGHT : FLAT_AXIS_HEIGHT
  return (
    <Chart
      label={`Chart of ${name}, ${days[0]} to ${days[1]}`}
      {...{ series, zone, sides, marks, limits }}
      axes={props.axes}
      times={drawn.times}
      timeAxis={isLast}
      range={view}
      height={series[0] && state ? laneHeight(series[0]) + axisHeight : height}
      describe={(at, index) => describeSample(state ?? lines[at], index, zone)}
      sync="history"
      namesMarks={isFirst}
      onRange={props.onView}
      onCursor={props.onCursor}
    />
  )
})

function useCursor() {
  const [cursor, setCursor] = useState<CursorPlace | null>(null)
  const top: RefObject<number> = useRef(0)
  // Synchronized charts report the same cursor position one after the other.
  const move = useCallback(
    (place: CursorPlace | null) =>
      setCursor((cursor) => (place && cursor && Math.abs(place.left - cursor.left) < 0.5 ? cursor : place)),
    []
  )
  const follow = useCallback(({ clientY, currentTarget }: { clientY: number; currentTarget: Element }) => {
    top.current = clientY - currentTarget.getBoundingClientRect().top
  }, [])
  return { cursor, top, move, follow }
}

/** The width of an element in pixels; 0 before the first measurement. */
function useWidth(container: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = container.current
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [container])
  return width
}
