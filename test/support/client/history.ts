// Points, samples and lines of charts.
import type { ChartLine } from '#client/features/data/history/chart/chart-lines.ts'
import type { Samples } from '#client/features/data/history/chart/history-samples.ts'
import { type Point, pointOf } from '#client/features/data/points/point.ts'
import { chance } from '../chance.ts'

/** Alternating times and values, or pairs of a time and a value. */
export type Pairs = readonly (number | Pair)[]
export type Pair = readonly [time: number, value: number]

export function samplesOf(pairs: Pairs, heldUntilMs: number | null = null): Samples {
  const numbers = pairs.flat() as number[]
  const pick = (offset: number) => Float64Array.from(numbers.filter((_, index) => index % 2 === offset))
  return { times: pick(0), values: pick(1), heldUntilMs }
}

export const chartPoint = (tags: Record<string, unknown> = {}, cloudId = 'c'): Point =>
  pointOf({
    ...{ cloudId, displayName: 'x', systemGuid: 'g', facets: { precision: 1 } },
    tags: { dataType: 'Numeric', units: '°C', telemetryId: 't', historyName: 'h', ...tags }
  })

export const FAN = { dataType: 'Boolean', trueText: 'Running', falseText: 'Off' }

export const lineOf = (
  color: number,
  samples: Samples,
  tags: Record<string, unknown> = {},
  shiftMs: number | null = null
): ChartLine => ({
  ...{
    id: `${color} ${shiftMs}`,
    key: `c-${color}`,
    name: `Line ${color + 1}`,
    device: '',
    samples,
    color,
    shiftMs
  },
  point: chartPoint(tags, `c-${color}`)
})

/** Random numbers from 0 up to, but not including, 1. */
export function randomFrom(seed: number): () => number {
  const random = chance(seed)
  return () => random(2 ** 32) / 2 ** 32
}
