// How the portal's charts look, in the words of uPlot: axes, lines, colours of the theme, and ranges that survive any number.
import uPlot from 'uplot'
import { AXIS_WIDTH, axis, LABEL_WIDTH, TIMES, ticksOf } from './chart-axes.ts'
import { barRange, laneRange, valueRange } from './chart-ranges.ts'
import { drawNumbers, drawThinWhereDense, lineOf } from './chart-strokes.ts'

export interface ChartSeries {
  label: string
  /** Series of one unit share an axis; two units have one each side. */
  unit: string
  /** Null is a gap; undefined belongs to another series, and is drawn through. */
  values: readonly (number | null | undefined)[]
  kind?: 'line' | 'bars' | 'steps'
  /** Which of the ten colours, from 0; else its place in the list. */
  color?: number
  /** Of another time, to compare with: faint and dotted, out of the keyboard's reach. */
  ghost?: boolean
  /** What stands at the axis instead of numbers. */
  texts?: readonly { ordinal: number; text: string }[]
}

const END_WIDTH = 24

/** Of both axes, where other charts stand below this one. */
export interface Frame {
  width: number
  height: number
  zone: string
  /** Keeps the place of a second axis free. */
  sides: 1 | 2
}

export function optionsOf(
  series: readonly ChartSeries[],
  { width, height, zone, sides }: Frame
): uPlot.Options {
  const units = [...new Set(series.map(({ unit }) => unit))]
  const textsOf = (unit: string) => series.find((one) => one.unit === unit)?.texts
  const numbered = series.some(({ color }) => color !== undefined)
  const right = units.length < 2 && sides === 2 ? AXIS_WIDTH + LABEL_WIDTH + END_WIDTH : END_WIDTH
  return {
    width,
    height,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), zone),
    legend: { show: false },
    padding: [10, units.length < 2 ? right : numbered ? END_WIDTH : 8, 0, 0],
    cursor: { drag: { x: false, y: false } },
    scales: Object.fromEntries(
      units.map((unit) => {
        const texts = textsOf(unit)
        const barred = series.some((one) => one.unit === unit && one.kind === 'bars')
        return [
          unit,
          {
            range: (_: uPlot, min: number, max: number) => {
              if (texts) return laneRange(texts)
              return barred ? barRange(min, max) : valueRange(min, max)
            }
          }
        ]
      })
    ),
    series: [{}, ...series.map((one, index) => lineOf(one, one.color ?? index))],
    axes: [
      axis({ values: TIMES, size: 44 }),
      ...units.map((unit, index) =>
        axis({
          scale: unit,
          // States say what they are in words; the name stands above.
          ...(textsOf(unit) ? {} : { label: unit }),
          side: index === 0 ? 3 : 1,
          size: textsOf(unit) ? AXIS_WIDTH + LABEL_WIDTH : AXIS_WIDTH,
          grid: { show: index === 0 },
          ...ticksOf(textsOf(unit))
        })
      )
    ],
    hooks: {
      drawClear: [(chart) => drawThinWhereDense(chart, series)],
      ...(numbered ? { draw: [(chart: uPlot) => drawNumbers(chart, series)] } : {})
    }
  }
}
