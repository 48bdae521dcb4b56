import { useEffect, useMemo, useRef, useState } from 'react'
import {
  axisOf,
  type ChartLine,
  type ChartPicture,
  isState,
  picturesOf,
  sampleText,
  stateTexts
} from '../lib/chart-lines.ts'
import type { TimeRange } from '../lib/date-range.ts'
import type { Drawn } from '../lib/decimation.ts'
import type { Drawing } from '../lib/drawing.ts'
import { formatDay, formatMoment } from '../lib/time.ts'
import { Chart, type ChartRange, type ChartSeries } from './chart.tsx'
import { LineSwatch } from './line-swatch.tsx'

interface HistoryChartProps {
  lines: readonly ChartLine[]
  drawing: Drawing | null
  /** The time in view. */
  view: TimeRange
  zone: string
  height: number
  /** Null asks for all of it. */
  onView?: (view: TimeRange | null) => void
}

const LANE_BASE = 62
const LANE_PER_TEXT = 18
const LANE_TEXTS_MAX = 8

interface Shown {
  view: TimeRange
  pictures: readonly { picture: ChartPicture; drawn: Drawn }[]
}

/** Recorded values below each other over one time: numbers by their units, states in lanes. */
export function HistoryChart({ lines, drawing, view, zone, height, onView }: HistoryChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const pictures = useMemo(() => picturesOf(lines), [lines])
  const [shown, setShown] = useState<Shown | null>(null)

  useEffect(() => {
    if (!drawing || width === 0) return
    let wanted = true
    const all = pictures.map(async (picture) => ({
      picture,
      drawn: await drawing.draw(
        picture.lines.map(({ id }) => id),
        view,
        width
      )
    }))
    void Promise.all(all).then((done) => {
      if (wanted) setShown({ view, pictures: done })
    })
    return () => {
      wanted = false
    }
  }, [drawing, pictures, view, width])

  const sides = pictures.some((picture) => new Set(picture.lines.map(axisOf)).size > 1) ? 2 : 1
  const decimated = shown?.pictures.some(({ drawn }) => drawn.decimated)
  return (
    <div className="history-chart" ref={place}>
      {shown?.pictures.map(({ picture, drawn }) => (
        <Picture
          key={picture.id}
          {...{ picture, drawn, zone, height, sides }}
          view={shown.view}
          {...(onView ? { onView } : {})}
        />
      ))}
      {decimated && (
        <p className="muted chart-note">
          More samples than pixels: each pixel shows its first, lowest, highest and last one. The keyboard and
          the tables have them all.
        </p>
      )}
    </div>
  )
}

interface PictureProps {
  picture: ChartPicture
  drawn: Drawn
  view: TimeRange
  zone: string
  height: number
  sides: 1 | 2
  onView?: (view: TimeRange | null) => void
}

function Picture({ picture, drawn, view, zone, height, sides, onView }: PictureProps) {
  const { lines, lane, name } = picture
  const range = useMemo(() => ({ from: view.fromMs / 1000, to: view.toMs / 1000 }), [view])
  const series = useMemo(
    () => lines.map((line, index): ChartSeries => seriesOf(line, drawn.values[index] ?? [])),
    [lines, drawn]
  )
  const samples = useMemo(() => lines.map((line) => line.samples), [lines])
  const days = [view.fromMs, view.toMs - 1].map((ms) => formatDay(new Date(ms).toISOString(), zone))
  const first = lines[0]
  const texts = first && lane ? Math.min(stateTexts(first.point).length, LANE_TEXTS_MAX) : 0
  return (
    <div className="chart-picture">
      <ul className="chart-legend" aria-label="Lines">
        {lines
          .filter(({ shiftMs }) => shiftMs === null)
          .map(({ id, color, name: lineName }) => (
            <li key={id}>
              <LineSwatch color={color} /> {lineName}
            </li>
          ))}
      </ul>
      <Chart
        label={`Chart of ${name}, ${days[0]} to ${days[1]}`}
        times={drawn.times}
        series={series}
        height={lane ? LANE_BASE + LANE_PER_TEXT * texts : height}
        zone={zone}
        describe={(line, index) => describeSample(lines[line], index, zone)}
        samples={samples}
        range={range}
        sync="history"
        sides={sides}
        {...(onView ? { onRange: (next: ChartRange | null) => onView(next && rangeOfSeconds(next)) } : {})}
      />
    </div>
  )
}

const rangeOfSeconds = ({ from, to }: ChartRange): TimeRange => ({ fromMs: from * 1000, toMs: to * 1000 })

function seriesOf(line: ChartLine, values: Drawn['values'][number]): ChartSeries {
  return {
    label: line.name,
    unit: axisOf(line),
    values,
    kind: isState(line.point) ? 'steps' : 'line',
    color: line.color,
    ...(line.shiftMs === null ? {} : { ghost: true }),
    ...(isState(line.point) ? { texts: stateTexts(line.point) } : {})
  }
}

function describeSample(line: ChartLine | undefined, index: number, zone: string): string {
  const time = line?.samples.times[index]
  if (!line || time === undefined) return ''
  const when = formatMoment(new Date(time).toISOString(), zone)
  return `${line.color + 1} ${line.name}, ${when}, ${sampleText(line.point, line.samples.values[index])}`
}

function useWidth(place: React.RefObject<HTMLElement | null>): number {
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
