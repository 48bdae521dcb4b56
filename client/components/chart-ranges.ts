// From where to where an axis goes, whatever the numbers are.
import uPlot from 'uplot'

/** Beyond, the difference of two numbers is infinite. */
const LIMIT = 8.9e307

export function laneRange(texts: readonly { ordinal: number }[]): uPlot.Range.MinMax {
  const ordinals = texts.map(({ ordinal }) => ordinal)
  return [Math.min(...ordinals) - 0.25, Math.max(...ordinals) + 0.25]
}

export function valueRange(min: number | null, max: number | null): uPlot.Range.MinMax {
  if (min === null || max === null || Number.isNaN(min) || Number.isNaN(max)) return [0, 1]
  if (Math.max(Math.abs(min), Math.abs(max)) > 1e300)
    return [Math.max(min, -LIMIT), min === max ? LIMIT : Math.min(max, LIMIT)]
  return uPlot.rangeNum(min, max, 0.1, true)
}

/** Bars are compared by their lengths: they stand on nothing. */
export function barRange(min: number | null, max: number | null): uPlot.Range.MinMax {
  const floor = Math.min(min ?? 0, 0)
  const ceiling = Math.max(max ?? 0, 0)
  if (floor === ceiling) return [0, 1]
  const [low, high] = valueRange(floor, ceiling)
  return [floor === 0 ? 0 : low, ceiling === 0 ? 0 : high]
}
