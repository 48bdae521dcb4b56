// The data of a chart. All times are in milliseconds.
import { firstAt } from '#shared/time/first-at.ts'

/** A null value is a gap. An undefined value is at a time of another series; the line continues. */
export type Values = ArrayLike<number | null | undefined>

export interface Samples {
  /** Ascending, without duplicates. */
  times: ArrayLike<number>
  /** Null, undefined and NaN mean no value. */
  values: ArrayLike<number | null | undefined>
}

/** One series of a chart. All series of a chart have their values at the same times. */
export interface ChartSeries {
  label: string
  /** Series of one unit share an axis. With two units, each side of the chart has an axis. */
  unit: string
  values: Values
  kind?: 'line' | 'bars' | 'steps' | 'lane'
  /** One of the ten colours, from 0. The default is the series' index. */
  color?: number
  /** Whether the series shows an earlier period: paler and dashed, not reachable by keyboard. */
  ghost?: boolean
  /** The minimum and maximum behind each average, as a band behind the line. */
  band?: { low: Values; high: Values } | null
  /** The axis shows at least this range, such as 0 to 100 for a percentage. */
  bounds?: readonly [number, number]
  runs?: readonly LaneRun[]
  /** The samples that the keyboard moves through. The default is the drawn values. */
  samples?: Samples
}

/** A state for a time, or its share of a time in which the state changes often. */
export interface LaneRun {
  fromMs: number
  toMs: number
  /** The lower and upper edge of the run, as shares of the lane's height: 0 and 1 for a whole run. */
  bottom: number
  top: number
  text: string
  /** One of the ten colours; null for a state such as off. */
  color: number | null
  /** Whether the run belongs to an earlier period, which is a thin strip below. */
  ghost?: boolean
  /** Whether the run is pale because another state is highlighted. */
  faded?: boolean
}

/** The person's choice for the axis of a unit. A null end is derived from the values. */
export interface AxisChoice {
  min: number | null
  max: number | null
  log: boolean
}

export const isLane = ({ kind }: ChartSeries) => kind === 'lane'
export const isValue = (value: number | null | undefined): value is number =>
  value != null && !Number.isNaN(value)

/** The index of the closest time, or of the earlier of two equally close times; -1 without times. */
export function nearest(times: ArrayLike<number>, ms: number): number {
  const nextIndex = firstAt(times, ms)
  if (nextIndex === 0) return times.length === 0 ? -1 : 0
  if (nextIndex === times.length) return times.length - 1
  return ms - (times[nextIndex - 1] as number) <= (times[nextIndex] as number) - ms
    ? nextIndex - 1
    : nextIndex
}

/**
 * The index of the drawn value closest to a time, or, if a value `holds` until the next value, of the last value before
 * that time; -1 in a gap and outside the values.
 */
export function drawnAt(times: ArrayLike<number>, values: Values, ms: number, holds: boolean): number {
  const index = firstAt(times, ms)
  let [previousIndex, nextIndex] = [times[index] === ms ? index : index - 1, index]
  while (previousIndex >= 0 && values[previousIndex] === undefined) previousIndex -= 1
  while (nextIndex < times.length && values[nextIndex] === undefined) nextIndex += 1
  const isBefore =
    previousIndex >= 0 &&
    (nextIndex === times.length || ms - Number(times[previousIndex]) <= Number(times[nextIndex]) - ms)
  const foundIndex = holds
    ? nextIndex === times.length
      ? -1
      : previousIndex
    : isBefore
      ? previousIndex
      : nextIndex
  return isValue(values[foundIndex]) ? foundIndex : -1
}
