// From where to where the axes of numbers go, whatever the numbers are.
import uPlot from 'uplot'
import type { ChartLimit } from './chart-marks.ts'
import type { ChartSeries } from './chart-options.ts'

/** Beyond, the difference of two numbers is infinite. */
const LIMIT = 8.9e307
/** Of what the lines span. */
const LIMIT_REACH = 3

/**
 * Of all series of a unit: bars stand on nothing, a share is drawn on the whole of it, and a limit is in sight unless it is so
 * far away that nothing else would be.
 */
export function rangeOf(
  series: readonly ChartSeries[],
  unit: string,
  limitsNow: () => readonly ChartLimit[] = () => []
) {
  const own = series.filter((one) => one.unit === unit)
  const barred = own.some(({ kind }) => kind === 'bars')
  const bounds = own.flatMap((one) => one.bounds ?? [])
  return (_: uPlot, min: number | null, max: number | null): uPlot.Range.MinMax => {
    if (bounds.length > 0) return boundedRange(min, max, bounds)
    if (barred || min === null || max === null) return barred ? barRange(min, max) : valueRange(min, max)
    const reach = LIMIT_REACH * (max - min)
    const near = limitsNow()
      .filter((limit) => limit.unit === unit)
      .map(({ value }) => value)
      .filter((value) => value >= min - reach && value <= max + reach)
    return valueRange(Math.min(min, ...near), Math.max(max, ...near))
  }
}

function boundedRange(min: number | null, max: number | null, bounds: readonly number[]): uPlot.Range.MinMax {
  const [low, high] = [Math.min(...bounds), Math.max(...bounds)]
  const [under, over] = [min !== null && min < low, max !== null && max > high]
  const [least, most] = valueRange(min, max)
  return [under ? least : low, over ? most : high]
}

function valueRange(min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min === null || max === null || Number.isNaN(min) || Number.isNaN(max)) return [0, 1]
  if (Math.max(Math.abs(min), Math.abs(max)) > 1e300)
    return [Math.max(min, -LIMIT), min === max ? LIMIT : Math.min(max, LIMIT)]
  return uPlot.rangeNum(min, max, 0.1, true)
}

/** Bars are compared by their lengths: they stand on nothing. */
function barRange(min: number | null, max: number | null): uPlot.Range.MinMax {
  const floor = Math.min(min ?? 0, 0)
  const ceiling = Math.max(max ?? 0, 0)
  if (floor === ceiling) return [0, 1]
  const [low, high] = valueRange(floor, ceiling)
  return [floor === 0 ? 0 : low, ceiling === 0 ? 0 : high]
}
