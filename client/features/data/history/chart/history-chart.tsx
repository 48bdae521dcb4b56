import './history-chart.css'
import {
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState
} from 'react'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { formatDay } from '../../../../lib/time/time.ts'
import { Chart, type CursorPosition } from '../../../../ui/chart/chart.tsx'
import { FLAT_AXIS_HEIGHT, PRINTED_SIZE, TIME_AXIS_HEIGHT } from '../../../../ui/chart/chart-axes.ts'
import type { AxisChoice } from '../../../../ui/chart/chart-series.ts'
import { laneHeight } from '../../../../ui/chart/lanes.ts'
import { LoadFailed } from '../../../../ui/state/load-failed.tsx'
import { type ChartAlarm, limitsOf, marksOf } from './chart-alarms.ts'
import { axisOf, type ChartLine, describeSample, numberSeries, picturesOf } from './chart-lines.ts'
import { type Drawing, type DrawnPicture, useDrawn } from './drawing.ts'
import { HistoryTooltip } from './history-tooltip.tsx'
import { averageNote, PanelHead } from './panel-head.tsx'
import { lastReadings, readingsAt } from './readings.ts'
import { laneSeries } from './states.ts'

export interface HistoryChartProps {
  /** Includes hidden lines and the lines of a previous period. */
  lines: readonly ChartLine[]
  /** The keys of the lines that are named but not drawn. */
  hiddenKeys?: readonly string[]
  /** Whether each point has a chart of its own. */
  isSeparate?: boolean
  drawing: Drawing | null
  view: TimeRange
  zone: string
  height: number
  alarms?: readonly ChartAlarm[]
  /** The uuid of the alarm in the address. */
  chosenAlarm?: string | null
  /** The current time, until which active states and alarms are drawn. */
  nowMs: number
  /** Buttons in the heading of the first chart. */
  tools?: ReactNode
  axes?: Readonly<Record<string, AxisChoice>> | undefined
  /** Called with the choices by unit; null for an automatic axis. */
  onAxes?: (choices: Readonly<Record<string, AxisChoice | null>>) => void
  /** Called with the view to show; null for the whole range. */
  onView?: ((view: TimeRange | null) => void) | undefined
  /** Called when a line's name is pressed; `withCtrl` to toggle the line. */
  onPick?: (line: ChartLine, withCtrl: boolean) => void
  /** Whether the charts are for paper: one for each unit, and not operable. */
  printed?: boolean
  /** Called once the charts are drawn, with their note about averages. */
  onDrawn?: (note: string | null) => void
  /** Called if the charts cannot be drawn. */
  onFailure?: () => void
}

const EMPTY: readonly never[] = []

/** Panels with a shared time axis. A panel shows the numbers of up to two units, or one state. */
export function HistoryChart(props: HistoryChartProps) {
  const { lines, drawing, view, zone, height, nowMs } = props
  const { hiddenKeys = EMPTY, isSeparate = false, alarms = EMPTY, chosenAlarm = null } = props
  const { printed = false } = props
  const container = useRef<HTMLDivElement>(null)
  const width = useWidth(container)
  const plannedPictures = useMemo(
    () => picturesOf(lines, { hiddenKeys, isSeparate, unitsAtOnce: printed ? 1 : 2 }),
    [lines, hiddenKeys, isSeparate, printed]
  )
  const { drawn: drawnPictures, hasFailed } = useDrawn(plannedPictures, drawing, view, width, zone)
  const { cursor, top, move, follow } = useCursor()
  /** The highlighted values of each state, by picture id. */
  const [highlights, setHighlights] = useState<Record<string, readonly number[]>>({})
  const announceDrawn = useEffectEvent(() => {
    const notes = new Set(drawnPictures?.pictures.map(({ drawn }) => averageNote(drawn)))
    props.onDrawn?.([...notes].find((note) => note !== null) ?? null)
  })
  useEffect(() => {
    if (drawnPictures) announceDrawn()
  }, [drawnPictures])
  const announceFailure = useEffectEvent(() => props.onFailure?.())
  useEffect(() => {
    if (hasFailed) announceFailure()
  }, [hasFailed])
  // New marks draw all charts again, so they depend on the time only while an alarm lasts.
  const marksUntilMs = alarms.some(({ toMs }) => toMs === null) ? nowMs : 0
  const marks = useMemo(
    () => marksOf(alarms, { zone, nowMs: marksUntilMs, chosen: chosenAlarm }),
    [alarms, zone, marksUntilMs, chosenAlarm]
  )
  const cursorMs = cursor && drawnPictures ? timeAt(drawnPictures.view, cursor) : null
  const readings = useMemo(() => {
    if (!drawnPictures) return null
    const { pictures, view } = drawnPictures
    return cursorMs === null ? lastReadings(pictures, view) : readingsAt(pictures, cursorMs)
  }, [drawnPictures, cursorMs])
  const pictures = drawnPictures?.pictures ?? []
  const firstDrawn = pictures.findIndex((picture) => picture.lines.length > 0)
  const lastDrawn = pictures.findLastIndex((picture) => picture.lines.length > 0)
  const sides = pictures.some((picture) => new Set(picture.lines.map(axisOf)).size > 1) ? 2 : 1
  return (
    <div className="history-chart">
      <div className="anchor" ref={container} onPointerMove={follow}>
        {hasFailed && drawing && (
          <LoadFailed onRetry={drawing.restart}>The chart could not be drawn.</LoadFailed>
        )}
        {drawnPictures &&
          readings &&
          pictures.map((picture, index) => (
            <section key={picture.id} className="chart-panel">
              <PanelHead
                {...props}
                picture={picture}
                readings={readings}
                hiddenKeys={hiddenKeys}
                tools={index === 0 && props.tools}
                view={drawnPictures.view}
                isAtCursor={cursor !== null}
                picked={picture.state ? (highlights[picture.id] ?? EMPTY) : EMPTY}
                onPicked={(values) => setHighlights({ ...highlights, [picture.id]: values })}
              />
              {picture.lines.length > 0 && (
                <Picture
                  picture={picture}
                  view={drawnPictures.view}
                  zone={zone}
                  height={height}
                  alarms={alarms}
                  marks={marks}
                  sides={sides}
                  isFirst={index === firstDrawn}
                  isLast={index === lastDrawn}
                  picked={highlights[picture.id] ?? EMPTY}
                  onCursor={move}
                  axes={props.axes}
                  onView={props.onView}
                  printed={printed}
                />
              )}
            </section>
          ))}
        {cursor && cursorMs !== null && readings && (
          <HistoryTooltip
            lines={lines.filter(({ key }) => !hiddenKeys.includes(key))}
            alarms={alarms}
            readings={readings}
            zone={zone}
            cursorMs={cursorMs}
            left={cursor.left}
            top={top}
            width={width}
          />
        )}
      </div>
    </div>
  )
}

const timeAt = ({ fromMs, toMs }: TimeRange, { share }: CursorPosition) => fromMs + share * (toMs - fromMs)

interface PictureProps extends Pick<HistoryChartProps, 'zone' | 'height' | 'onView' | 'axes'> {
  picture: DrawnPicture
  view: TimeRange
  alarms: readonly ChartAlarm[]
  marks: ReturnType<typeof marksOf>
  isFirst: boolean
  isLast: boolean
  picked: readonly number[]
  sides: 1 | 2
  printed: boolean
  onCursor: (position: CursorPosition | null) => void
}

/** Memoized, so that moving the cursor does not render the pictures again. */
const Picture = memo(function Picture(props: PictureProps) {
  const { picture, view, alarms, marks, isFirst, isLast, picked, zone, height, sides } = props
  const { lines, state, name, drawn, segments } = picture
  const series = useMemo(
    () =>
      state
        ? [laneSeries(state, lines, segments, picked)]
        : lines.map((line, at) => numberSeries(line, drawn.lines[at])),
    [state, lines, drawn, segments, picked]
  )
  const limits = useMemo(() => limitsOf(alarms, lines), [alarms, lines])
  const days = [view.fromMs, view.toMs - 1].map((ms) => formatDay(ms, zone))
  // On paper the chart below may be on another page.
  const hasTimes = isLast || props.printed
  const size = props.printed ? PRINTED_SIZE : 1
  const axisHeight = hasTimes ? TIME_AXIS_HEIGHT : FLAT_AXIS_HEIGHT
  return (
    <Chart
      label={`Chart of ${name}, ${days[0]} to ${days[1]}`}
      series={series}
      zone={zone}
      sides={sides}
      marks={marks}
      limits={limits}
      axes={props.axes}
      times={drawn.times}
      timeAxis={hasTimes}
      range={view}
      height={series[0] && state ? size * (laneHeight(series[0]) + axisHeight) : height}
      describe={(at, index) => describeSample(state ?? lines[at], index, zone)}
      sync="history"
      printed={props.printed}
      namesMarks={isFirst || (props.printed && !state)}
      onRange={props.onView}
      onCursor={props.onCursor}
    />
  )
})

function useCursor() {
  const [cursor, setCursor] = useState<CursorPosition | null>(null)
  const top: RefObject<number> = useRef(0)
  // Synchronized charts report the same position one after the other.
  const move = useCallback(
    (position: CursorPosition | null) =>
      setCursor((cursor) =>
        position && cursor && Math.abs(position.left - cursor.left) < 0.5 ? cursor : position
      ),
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
