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
import { Chart, type ChartRange, type CursorPlace } from '../../../ui/chart/chart.tsx'
import { TIME_AXIS_HEIGHT } from '../../../ui/chart/chart-axes.ts'
import { lanesHeight } from '../../../ui/chart/lanes.ts'
import { type ChartAlarm, limitsOf, marksOf } from '../alarms/chart-alarms.ts'
import { axisOf, type ChartLine } from './chart-lines.ts'
import { describeSample, laneSeries, numberSeries } from './chart-series.ts'
import type { Drawing } from './drawing.ts'
import { HistoryTooltip } from './history-tooltip.tsx'
import { lineReader, snapped, tooltipText } from './tooltip-rows.ts'
import { bucketsOf, type DrawnPictures, useDrawn } from './use-drawn.ts'
import { useWidth } from './use-width.ts'

export interface HistoryChartProps {
  /** Those of a previous period among them. */
  lines: readonly ChartLine[]
  drawing: Drawing | null
  /** The time in view. */
  view: TimeRange
  zone: string
  height: number
  alarms?: readonly ChartAlarm[]
  /** The alarm that somebody came from. */
  chosenAlarm?: string | null
  /** What still lasts does so until then. */
  nowMs: number
  /** Null asks for all of it. */
  onView?: (view: TimeRange | null) => void
  /** The charts have what they draw, and a word about it where it is not the samples. */
  onDrawn?: (note: string | null) => void
}

const NO_ALARMS: readonly ChartAlarm[] = []

/** Recorded values below each other over one time: numbers by their units, states in lanes. */
export function HistoryChart(props: HistoryChartProps) {
  const { lines, drawing, view, zone, height, alarms = NO_ALARMS, chosenAlarm = null, nowMs } = props
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const shown = useDrawn(lines, drawing, view, width)
  const tooltip = useTooltip(lines, alarms, shown)
  const bucketMs = shown?.pictures.find(({ drawn }) => drawn?.bucketMs)?.drawn?.bucketMs
  const note = bucketMs ? `Line: average of ${durationText(bucketMs)}. Band: min to max.` : null
  const told = useEffectEvent(() => props.onDrawn?.(note))
  useEffect(() => {
    if (shown) told()
  }, [shown])
  const marks = useMemo(
    () => marksOf(alarms, { zone, nowMs, chosen: chosenAlarm }),
    [alarms, zone, nowMs, chosenAlarm]
  )
  const pictures = shown?.pictures ?? []
  const sides = pictures.some(({ picture }) => new Set(picture.lines.map(axisOf)).size > 1) ? 2 : 1
  return (
    <div className="history-chart">
      {note && <p className="chart-note">{note}</p>}
      <div className="history-pictures" ref={place} onPointerMove={tooltip.follow}>
        {shown &&
          pictures.map(({ picture }, index) => (
            <Picture
              key={picture.id}
              {...{ lines, alarms, marks, shown, index, zone, height, sides, width }}
              onCursor={tooltip.move}
              {...(props.onView ? { onView: props.onView } : {})}
            />
          ))}
        {tooltip.text && (
          <HistoryTooltip text={tooltip.text} zone={zone} left={tooltip.left} top={tooltip.top} />
        )}
      </div>
    </div>
  )
}

interface PictureProps extends Pick<HistoryChartProps, 'lines' | 'zone' | 'height' | 'onView'> {
  alarms: readonly ChartAlarm[]
  marks: ReturnType<typeof marksOf>
  shown: DrawnPictures
  index: number
  sides: 1 | 2
  width: number
  onCursor: (at: CursorPlace | null) => void
}

/** Drawn anew for what it shows, not for every move of the cursor. */
const Picture = memo(function Picture(props: PictureProps) {
  const { lines: all, alarms, marks, shown, index, zone, height, sides, width, onCursor, onView } = props
  const { view, pictures } = shown
  const { picture, drawn } = pictures[index] as DrawnPictures['pictures'][number]
  const { lines, lanes, name } = picture
  const range = useMemo(() => ({ from: view.fromMs / 1000, to: view.toMs / 1000 }), [view])
  const times = useMemo(() => drawn?.times ?? [view.fromMs / 1000, view.toMs / 1000], [drawn, view])
  const series = useMemo(
    () =>
      lines.flatMap((line, at) => {
        const own = drawn?.lines[at]
        if (lanes) return [laneSeries(line, all, view, width)]
        return own ? [numberSeries(line, own)] : []
      }),
    [lines, lanes, all, drawn, view, width]
  )
  const samples = useMemo(() => lines.map((line) => line.samples), [lines])
  const limits = useMemo(() => limitsOf(alarms, lines), [alarms, lines])
  const days = [view.fromMs, view.toMs - 1].map((ms) => formatDay(ms, zone))
  const last = index === pictures.length - 1
  return (
    <Chart
      label={`Chart of ${name}, ${days[0]} to ${days[1]}`}
      {...{ times, series, zone, samples, range, sides, marks, limits, onCursor }}
      height={lanes ? lanesHeight(series) + (last ? TIME_AXIS_HEIGHT : 0) : height}
      describe={(line, at) => describeSample(lines[line], at, zone)}
      sync="history"
      timeAxis={last}
      namesMarks={index === 0}
      {...(onView ? { onRange: (next: ChartRange | null) => onView(next && rangeOfSeconds(next)) } : {})}
    />
  )
})

const rangeOfSeconds = ({ from, to }: ChartRange): TimeRange => ({ fromMs: from * 1000, toMs: to * 1000 })

/** Where the cursor of the charts is, and what is there. */
function useTooltip(lines: readonly ChartLine[], alarms: readonly ChartAlarm[], shown: DrawnPictures | null) {
  const [at, setAt] = useState<CursorPlace | null>(null)
  const [read] = useState(lineReader)
  const top: RefObject<number> = useRef(0)
  // Charts of the same time tell the same.
  const move = useCallback(
    (next: CursorPlace | null) =>
      setAt((now) => (next && now && Math.abs(next.left - now.left) < 0.5 ? now : next)),
    []
  )
  const buckets = useMemo(() => (shown ? bucketsOf(shown) : null), [shown])
  const wanted = at && buckets ? at.time * 1000 : null
  const text = useMemo(() => {
    if (wanted === null || !buckets) return null
    return tooltipText(lines, alarms, snapped(lines, wanted, buckets), buckets, read)
  }, [lines, alarms, wanted, buckets, read])
  return {
    text,
    left: at?.left ?? 0,
    top,
    move,
    follow: ({ clientY, currentTarget }: { clientY: number; currentTarget: Element }) => {
      top.current = clientY - currentTarget.getBoundingClientRect().top
    }
  }
}
