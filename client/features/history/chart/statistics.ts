import type { TimeRange } from '../../../lib/time/date-range.ts'
import { firstAt } from '../../../ui/chart/chart-series.ts'
import type { Samples } from './history-samples.ts'

/** What the values of a line amount to within a view. */
export interface Statistics {
  /** Records within the view that have a number. */
  samples: number
  min: number | null
  minMs: number
  max: number | null
  maxMs: number
  /** Where values hold, each counts by how long it held. */
  average: number | null
  last: number | null
  lastMs: number
}

export function statisticsOf({ times, values, heldUntilMs }: Samples, view: TimeRange): Statistics {
  const first = firstAt(times, view.fromMs)
  const end = firstAt(times, view.toMs)
  const until = Math.min(heldUntilMs ?? view.toMs, view.toMs)
  const begins = heldUntilMs !== null && first > 0 && until > view.fromMs ? first - 1 : first
  let [samples, average, weights] = [0, 0, 0]
  let [min, max, last] = [-1, -1, -1]
  for (let index = begins; index < end; index++) {
    const value = values[index] as number
    if (Number.isNaN(value)) continue
    if (index >= first) samples += 1
    if (min < 0 || value < (values[min] as number)) min = index
    if (max < 0 || value > (values[max] as number)) max = index
    last = index
    const held = Math.min(times[index + 1] ?? until, until) - Math.max(times[index] as number, view.fromMs)
    const weight = heldUntilMs === null ? 1 : Math.max(held, 0)
    if (weight === 0) continue
    weights += weight
    // Divided before they are added: sums of the largest numbers are infinite.
    average += (value / weights - average / weights) * weight
  }
  const value = (index: number) => (index < 0 ? null : (values[index] as number))
  const ms = (index: number) => (index < 0 ? 0 : Math.max(times[index] as number, view.fromMs))
  return {
    samples,
    ...{ min: value(min), minMs: ms(min), max: value(max), maxMs: ms(max) },
    average: weights > 0 ? average : value(last),
    ...{ last: value(last), lastMs: ms(last) }
  }
}
