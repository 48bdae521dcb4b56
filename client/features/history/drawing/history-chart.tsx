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
import { tellMoment } from '../../../lib/time/offset.ts'
import { formatDay } from '../../../lib/time/time.ts'
import { Chart, type CursorPlace } from '../../../ui/chart/chart.tsx'
import { FLAT_AXIS_HEIGHT, TIME_AXIS_HEIGHT } from '../../../ui/chart/chart-axes.ts'
import type { AxisChoice, ChartSeries, LaneRun } from '../../../ui/chart/chart-series.ts'
import { laneHeight } from '../../../ui/chart/lanes.ts'
import { type ChartAlarm, limitsOf, marksOf } from '../alarms/chart-alarms.ts'
import { axisOf, boundsOf, type ChartLine, isGhost, sampleText, valueWords } from './chart-lines.ts'
import { type Drawing, type DrawnPicture, type DrawnPictures, useDrawn } from './drawing.ts'
import { HistoryTooltip } from './history-tooltip.tsx'
import { PanelHead } from './panel-head.tsx'
import { readingsAt } from './readings.ts'
import { stateColor, stateRuns } from './states.ts'

export interface HistoryChartProps {
  /** With those of a previous period. */
  lines: readonly ChartLine[]
  /** Lines that are only named. */
  hidden?: readonly ChartLine[]
  drawing: Drawing | null
  /** The time in view. */
  view: TimeRange
  zone: string
  height: number
  alarms?: readonly ChartAlarm[]
  /** The uuid of the alarm that the address names. */
  chosenAlarm?: string | null
  /** What still lasts does so until then. */
  nowMs: number
  /** How axes are drawn, by unit. */
  axes?: Readonly<Record<string, AxisChoice>>
  onAxis?: (unit: string, choice: AxisChoice | null) => void
  /** Null asks for all of it. */
  onView?: (view: TimeRange | null) => void
  /** A name was pressed; with Ctrl it is added to the others. */
  onPick?: (line: ChartLine, adds: boolean) => void
  /** The charts have what they draw, and a note where it is averages. */
  onDrawn?: (note: string | null) => void
}

const NONE: readonly never[] = []

/** Recorded values over one time: a panel for numbers of up to two units, one for each state. */
export function HistoryChart(props: HistoryChartProps) {
  const {
    lines,
    hidden = NONE,
    drawing,
    view,
    zone,
    height,
    alarms = NONE,
    chosenAlarm = null,
    nowMs
  } = props
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const shown = useDrawn(lines, drawing, view, width, zone)
  const { cursor, top, move, follow } = useCursor()
  /** The values of a state that are picked out, by line. */
  const [picked, setPicked] = useState<Record<string, readonly number[]>>({})
  const bucketMs = shown?.pictures.find(({ drawn }) => drawn.bucketMs)?.drawn.bucketMs
  const note = bucketMs ? `Line: average of ${durationText(bucketMs)}. Band: min to max.` : null
  const announceDrawn = useEffectEvent(() => props.onDrawn?.(note))
  useEffect(() => {
    if (shown) announceDrawn()
  }, [shown])
  const marks = useMemo(
    () => marksOf(alarms, { zone, nowMs, chosen: chosenAlarm }),
    [alarms, zone, nowMs, chosenAlarm]
  )
  const readings = useMemo(() => {
    if (!shown) return null
    return readingsAt(shown.pictures, cursor?.ms ?? lastIn(shown))
  }, [shown, cursor?.ms])
  const pictures = shown?.pictures ?? []
  const sides = pictures.some((picture) => new Set(picture.lines.map(axisOf)).size > 1) ? 2 : 1
  return (
    <div className="history-chart">
      {note && <p className="chart-note">{note}</p>}
      <div className="history-pictures" ref={place} onPointerMove={follow}>
        {shown &&
          readings &&
          pictures.map((picture, index) => (
            <section key={picture.id} className="chart-panel">
              <PanelHead
                {...props}
                {...{ picture, hidden, readings }}
                view={shown.view}
                isAtCursor={cursor !== null}
                picked={picture.state ? (picked[picture.id] ?? NONE) : NONE}
                onPicked={(values) => setPicked({ ...picked, [picture.id]: values })}
              />
              <Picture
                {...{ picture, alarms, marks, zone, height, sides, width }}
                view={shown.view}
                place={
                  pictures.length === 1
                    ? 'only'
                    : index === 0
                      ? 'first'
                      : index === pictures.length - 1
                        ? 'last'
                        : ''
                }
                picked={picked[picture.id] ?? NONE}
                onCursor={move}
                {...(props.axes ? { axes: props.axes } : {})}
                {...(props.onView ? { onView: props.onView } : {})}
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

/** The last time at which a line in view has a sample. */
function lastIn({ pictures, view }: DrawnPictures): number {
  const own = pictures.flatMap(({ lines }) => lines.filter((line) => !isGhost(line)))
  return Math.min(view.toMs, Math.max(view.fromMs, ...own.map(({ samples }) => samples.times.at(-1) ?? 0)))
}

interface PictureProps extends Pick<HistoryChartProps, 'zone' | 'height' | 'onView' | 'axes'> {
  picture: DrawnPicture
  view: TimeRange
  alarms: readonly ChartAlarm[]
  marks: ReturnType<typeof marksOf>
  place: 'only' | 'first' | 'last' | ''
  picked: readonly number[]
  sides: 1 | 2
  width: number
  onCursor: (at: CursorPlace | null) => void
}

/** Rendered for what it shows, not for every move of the cursor. */
const Picture = memo(function Picture(props: PictureProps) {
  const { picture, view, alarms, marks, place, picked, zone, height, sides, width, axes, onCursor, onView } =
    props
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
  const timeAxis = place === 'only' || place === 'last'
  return (
    <Chart
      label={`Chart of ${name}, ${days[0]} to ${days[1]}`}
      {...{ series, zone, sides, marks, limits, axes, timeAxis, onCursor }}
      times={drawn.times}
      range={view}
      height={
        series[0] && state ? laneHeight(series[0]) + (timeAxis ? TIME_AXIS_HEIGHT : FLAT_AXIS_HEIGHT) : height
      }
      describe={(at, index) => describeSample(state ?? lines[at], index, zone)}
      sync="history"
      namesMarks={place === 'only' || place === 'first'}
      {...(onView ? { onRange: onView } : {})}
    />
  )
})

function numberSeries(
  line: ChartLine,
  drawn: DrawnPicture['drawn']['lines'][number] | undefined
): ChartSeries {
  const { point, samples, color } = line
  const bounds = boundsOf(point)
  return {
    ...{
      label: line.name,
      unit: axisOf(line),
      color,
      samples,
      values: drawn?.values ?? [],
      band: drawn?.band ?? null
    },
    // An average does not hold.
    kind: samples.heldUntilMs !== null && !drawn?.band ? 'steps' : 'line',
    ghost: isGhost(line),
    ...(bounds ? { bounds } : {})
  }
}

/** The earlier period, where there is one, is a strip below. */
function laneSeries(
  state: ChartLine,
  lines: readonly ChartLine[],
  view: TimeRange,
  width: number,
  picked: readonly number[]
): ChartSeries {
  const shortestMs = (view.toMs - view.fromMs) / Math.max(width, 1)
  const { point, samples, color } = state
  const runs = lines.flatMap((line) =>
    stateRuns(line.samples, view, shortestMs).flatMap(({ fromMs, toMs, value }): LaneRun[] => {
      if (Number.isNaN(value)) return []
      return [
        {
          ...{ fromMs, toMs, ghost: isGhost(line) },
          text: value === null ? '' : valueWords(point, value),
          color: value === null ? color : stateColor(point, value),
          faded: picked.length > 0 && (value === null || !picked.includes(value))
        }
      ]
    })
  )
  return { label: state.name, unit: '', values: [], kind: 'lane', color, samples, runs }
}

/** "1 Supply Temp, 12-Jun-2026 14:05, 21.4 °C". */
function describeSample(line: ChartLine | undefined, index: number, zone: string): string {
  const time = line?.samples.times[index]
  if (!line || time === undefined) return ''
  return `${line.color + 1} ${line.name}, ${tellMoment(time, zone)}, ${sampleText(line.point, line.samples.values[index])}`
}

/** Where the cursor of the charts is, and the pointer within them. */
function useCursor() {
  const [cursor, setCursor] = useState<CursorPlace | null>(null)
  const top: RefObject<number> = useRef(0)
  // Synchronized charts report the same place one after the other.
  const move = useCallback(
    (next: CursorPlace | null) =>
      setCursor((now) => (next && now && Math.abs(next.left - now.left) < 0.5 ? now : next)),
    []
  )
  const follow = useCallback(({ clientY, currentTarget }: { clientY: number; currentTarget: Element }) => {
    top.current = clientY - currentTarget.getBoundingClientRect().top
  }, [])
  return { cursor, top, move, follow }
}

/** The width of an element in pixels; 0 before it is known. */
function useWidth(place: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [place])
  return width
}
