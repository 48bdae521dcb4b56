// Where the samples of a chart's lines are: found by their time, whether all of them are drawn or not.

/** What the keyboard steps through, where less is drawn than there is. */
export interface ChartSamples {
  /** Milliseconds, ascending. */
  times: ArrayLike<number>
  values: ArrayLike<number>
}

interface Drawn {
  /** Unix seconds, ascending. */
  times: readonly number[]
  series: readonly { values: readonly (number | null | undefined)[] }[]
  /** All samples of each line; without, what is drawn is all. */
  samples?: readonly ChartSamples[] | undefined
}

export interface LineSamples {
  countOf: (line: number) => number
  /** Unix seconds. */
  timeOf: (line: number, index: number) => number
  /** Null, undefined and NaN are none. */
  amountOf: (line: number, index: number) => number | null | undefined
  /** The sample next to a time, the earlier of two; -1 of a line without any. */
  closest: (line: number, time: number) => number
  /** The first sample that is not before a time; as many as there are when all are. */
  firstNotBefore: (line: number, time: number) => number
}

export function lineSamples({ times, series, samples }: Drawn): LineSamples {
  const countOf = (line: number) => (samples ? (samples[line]?.times.length ?? 0) : times.length)
  const timeOf = (line: number, index: number) =>
    samples ? (samples[line]?.times[index] ?? 0) / 1000 : (times[index] ?? 0)

  function firstNotBefore(line: number, time: number): number {
    let low = 0
    let high = countOf(line)
    while (low < high) {
      const middle = (low + high) >>> 1
      if (timeOf(line, middle) < time) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    countOf,
    timeOf,
    amountOf: (line, index) => (samples ? samples[line]?.values[index] : series[line]?.values[index]),
    closest(line, time) {
      const count = countOf(line)
      const after = firstNotBefore(line, time)
      if (after === 0 || after === count) return after === 0 ? (count > 0 ? 0 : -1) : count - 1
      return time - timeOf(line, after - 1) <= timeOf(line, after) - time ? after - 1 : after
    },
    firstNotBefore
  }
}

export const isValue = (value: number | null | undefined): value is number =>
  value != null && !Number.isNaN(value)
