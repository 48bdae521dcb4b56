// Adds accessibility to uPlot: the figure has a name, a cursor for the keyboard and a text that describes the cursor's
// position. The caller shows the same values as a table.
import 'uplot/dist/uPlot.min.css'
import './chart.css'
import { useId, useRef } from 'react'
import type uPlot from 'uplot'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { useRested } from '../../lib/browser.ts'
import type { ChartLimit, ChartMark } from './chart-marks.ts'
import type { AxisChoice, ChartSeries } from './chart-series.ts'
import { useChartCursor } from './use-chart-cursor.ts'
import { usePlot } from './use-plot.ts'

export interface ChartProps {
  label: string
  times: readonly number[]
  series: readonly ChartSeries[]
  height: number
  zone: string
  /** Describes a sample: "Supply Temp, 12-Jun 14:05, 21.4 °C". */
  describe: (series: number, index: number) => string
  /** The visible time range; default: all times. */
  range?: TimeRange
  /** Enables zooming and panning. Called with null to show all times. */
  onRange?: ((range: TimeRange | null) => void) | undefined
  /** Charts with the same name share their cursor. */
  sync?: string
  /** 2 reserves space for a second axis, to align charts below each other. */
  sides?: 1 | 2
  /** False if the chart below shows the same times. */
  timeAxis?: boolean
  axes?: Readonly<Record<string, AxisChoice>> | undefined
  marks?: readonly ChartMark[]
  namesMarks?: boolean
  limits?: readonly ChartLimit[]
  /** Whether the chart is for paper: sharper, as wide as the page, and not operable. */
  printed?: boolean
  /** Called with the cursor's position, or null. The caller shows the values in a tooltip. */
  onCursor?: (position: CursorPosition | null) => void
}

export interface CursorPosition {
  /** Pixels from the left edge of the chart's element. */
  left: number
  /** Share of the visible time range that is left of the cursor, from 0 to 1. The time follows from the view. */
  share: number
}

const NONE: readonly never[] = []
const DEFAULTS = {
  sides: 1,
  timeAxis: true,
  marks: NONE,
  namesMarks: false,
  limits: NONE,
  printed: false
} as const
export type PlottedChart = ChartProps & Required<Pick<ChartProps, keyof typeof DEFAULTS>>
/** Delay of announcements, so that not every sample is announced while a key is held down. */
const ANNOUNCE_DELAY_MS = 300

export function Chart(chartProps: ChartProps) {
  const props: PlottedChart = { ...DEFAULTS, ...chartProps }
  const { label, series, describe, onRange, onCursor } = props
  const figure = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const help = useId()
  const { sample, marking, operate, followPointer, hide } = useChartCursor(plot, {
    series,
    samples: series.map(({ samples, values }) => samples ?? { times: props.times, values }),
    onRange,
    onLeave: () => figure.current?.blur()
  })
  usePlot(figure, plot, props, (chart) => {
    followPointer(chart)
    const { left = -1 } = chart.cursor
    const [plotLeft, plotWidth] = [chart.bbox.left / devicePixelRatio, chart.bbox.width / devicePixelRatio]
    onCursor?.(left < 0 ? null : { left: plotLeft + left, share: left / plotWidth })
  })

  const text = sample ? describe(sample.line, sample.index) : ''
  const markText = marking ? ' Range begun: go to its end and press Space.' : ''
  const announcedText = useRested(text + markText, ANNOUNCE_DELAY_MS)
  if (props.printed)
    return <figure className="chart-plot" ref={figure} role="img" aria-label={label} data-printed />
  return (
    <div className="chart" data-with-tooltip={onCursor !== undefined || undefined}>
      <figure
        className="chart-plot"
        ref={figure}
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
      <p className="hint chart-cursor" aria-hidden="true">
        {text}
        {markText}
      </p>
      <p className="sr-only" role="status">
        {announcedText}
      </p>
    </div>
  )
}
