// The only place that knows uPlot, which brings no accessibility of its own: the figure has a name, a cursor for the
// keyboard and a text that says where it stands. The table twin is the caller's, from the same values.
import 'uplot/dist/uPlot.min.css'
import './chart.css'
import { useEffect, useId, useRef, useState } from 'react'
import type uPlot from 'uplot'
import type { ChartRange } from './chart-gestures.ts'
import type { ChartLimit, ChartMark } from './chart-marks.ts'
import type { ChartSeries } from './chart-options.ts'
import { type ChartSamples, lineSamples } from './chart-samples.ts'
import { useChartCursor } from './use-chart-cursor.ts'
import { usePlot } from './use-plot.ts'

export type { ChartRange } from './chart-gestures.ts'
export type { ChartSeries } from './chart-options.ts'

interface ChartProps {
  /** Names the figure: "Data usage, Jan to Dec". */
  label: string
  /** Unix seconds, ascending. */
  times: readonly number[]
  series: readonly ChartSeries[]
  height: number
  zone: string
  /** What is said of a sample: "Supply Temp, 12-Jun 14:05, 21.4 °C". */
  describe: (series: number, index: number) => string
  /** All samples of each series; without, what is drawn is all. */
  samples?: readonly ChartSamples[]
  /** The time in view; without, all of it. */
  range?: ChartRange
  /** Makes it possible to zoom and move; null shows all again. */
  onRange?: (range: ChartRange | null) => void
  /** Charts of the same name share their cursor. */
  sync?: string
  /** 2 keeps the place of a second axis free, for charts below each other. */
  sides?: 1 | 2
  /** Left out of charts that stand above another one of the same time. */
  timeAxis?: boolean
  marks?: readonly ChartMark[]
  /** Whether the marks are named above this one. */
  namesMarks?: boolean
  limits?: readonly ChartLimit[]
  /** Where the cursor is: the caller says beside it what is there, so that it is not said below the chart. Null for nowhere. */
  onCursor?: (at: CursorPlace | null) => void
}

/** Unix seconds, and pixels from the left edge of the figure. */
export interface CursorPlace {
  time: number
  left: number
}

const NONE: readonly never[] = []

const SAID_AFTER_MS = 300

export function Chart(props: ChartProps) {
  const { label, times, series, height, zone, describe, samples, range, onRange, sync, sides = 1 } = props
  const { timeAxis = true, marks = NONE, namesMarks = false, limits = NONE, onCursor } = props
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const help = useId()
  const { at, marking, operate, followPointer, hide } = useChartCursor(plot, {
    series,
    samples: lineSamples({ times, series, samples }),
    onRange,
    onLeave: () => place.current?.blur()
  })
  usePlot(place, plot, {
    ...{ times, series, height, zone, range, onRange, sync, sides, timeAxis, marks, namesMarks, limits },
    onPoint(chart) {
      followPointer(chart)
      const { left = -1 } = chart.cursor
      const place = { time: chart.posToVal(left, 'x'), left: chart.bbox.left / devicePixelRatio + left }
      onCursor?.(left < 0 ? null : place)
    }
  })

  const said = at ? describe(at.line, at.index) : ''
  const marked = marking ? ' Range begun: go to its end and press Space.' : ''
  const settled = useSettled(said + marked)
  return (
    <div className="chart" data-told={onCursor !== undefined || undefined}>
      <figure
        className="chart-plot"
        ref={place}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the figure is operated by arrow keys
        tabIndex={0}
        aria-label={label}
        aria-describedby={help}
        onKeyDown={operate}
        onBlur={hide}
      />
      <p id={help} className="sr-only">
        Left and right arrows move through the samples, up and down arrows change the line.
        {onRange !== undefined &&
          ' Plus and minus zoom, 0 shows all, Page Up and Page Down move the time, Space begins and ends a range to zoom to.'}
      </p>
      <p className="chart-cursor" aria-hidden="true">
        {said}
        {marked}
      </p>
      <p className="sr-only" role="status">
        {settled}
      </p>
    </div>
  )
}

/** The text once it rests: whoever holds a key down need not hear every sample. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SAID_AFTER_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
