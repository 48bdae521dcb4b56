// The data of a chart. All times are in milliseconds.

/** Null is a gap. Undefined is a time of another series; the line continues. */
export type Values = ArrayLike<number | null | undefined>

export interface Samples {
  /** Ascending, each once. */
  times: ArrayLike<number>
  /** Null, undefined and NaN mean no value. */
  values: ArrayLike<number | null | undefined>
}

/** At the times that all series of a chart share. */
export interface ChartSeries {
  label: string
  /** Series of one unit share an axis; two units have one on each side. */
  unit: string
  values: Values
  kind?: 'line' | 'bars' | 'steps' | 'lane'
  /** One of the ten colours, from 0. The default is the series' index. */
  color?: number
  /** An earlier period: paler and dashed, not reachable by keyboard. */
  ghost?: boolean
  /** The minimum and maximum behind each average, as a band behind the line. */
  band?: { low: Values; high: Values } | null
  /** The axis shows at least this range, such as 0 to 100 for a percentage. */
  bounds?: readonly [number, number]
  runs?: readonly LaneRun[]
  /** The samples for the keyboard. The default is the drawn values. */
  samples?: Samples
}

export interface LaneRun {
  fromMs: number
  toMs: number
  text: string
  /** One of the ten colours; null for a state such as off. */
  color: number | null
  /** An earlier period: a thin strip below. */
  ghost?: boolean
  /** Whether another state is highlighted. */
  faded?: boolean
}

/** The axis of a unit; null derives an end from the values. */
export interface AxisChoice {
  min: number | null
  max: number | null
  log: boolean
}

export const isLane = ({ kind }: ChartSeries) => kind === 'lane'
export const isValue = (value: number | null | undefined): value is number =>
  value != null && !Number.isNaN(value)

/** The first index with a time of at least `ms`; the length if there is none. */
export function firstAt(times: ArrayLike<number>, ms: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] as number) < ms) low = middle + 1
    else high = middle
  }
  return low
}

/** The index of the closest time, the earlier of two; -1 without times. */
export function nearest(times: ArrayLike<number>, ms: number): number {
  const after = firstAt(times, ms)
  if (after === 0) return times.length === 0 ? -1 : 0
  if (after === times.length) return times.length - 1
  return ms - (times[after - 1] as number) <= (times[after] as number) - ms ? after - 1 : after
}

/**
 * The index of the drawn value closest to a time, or of the one that holds; -1 in a gap and outside.
 */
export function drawnAt(times: ArrayLike<number>, values: Values, ms: number, holds: boolean): number {
  const at = firstAt(times, ms)
  let [before, after] = [times[at] === ms ? at : at - 1, at]
  while (before >= 0 && values[before] === undefined) before -= 1
  while (after < times.length && values[after] === undefined) after += 1
  const isBefore =
    before >= 0 && (after === times.length || ms - Number(times[before]) <= Number(times[after]) - ms)
  const found = holds ? (after === times.length ? -1 : before) : isBefore ? before : after
  return isValue(values[found]) ? found : -1
}
