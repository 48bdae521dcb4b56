// Samples from pairs, and random numbers.
import type { Samples } from '#shared/history/samples.ts'
import { chance } from './chance.ts'

/** Alternating times and values, or pairs of a time and a value. */
export type Pairs = readonly (number | Pair)[]
export type Pair = readonly [time: number, value: number]

export function samplesOf(pairs: Pairs, validUntilMs: number | null = null): Samples {
  const numbers = pairs.flat() as number[]
  const pick = (offset: number) => Float64Array.from(numbers.filter((_, index) => index % 2 === offset))
  return { times: pick(0), values: pick(1), validUntilMs }
}

/** Random numbers from 0 up to, but not including, 1. */
export function randomFrom(seed: number): () => number {
  const random = chance(seed)
  return () => random(2 ** 32) / 2 ** 32
}
