// The runs of a state over time. Each value holds until the next record, the last value until `heldUntilMs`.

import type { Samples } from '#shared/history/samples.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { firstAt } from '#shared/time/first-at.ts'

export interface StateRun {
  fromMs: number
  toMs: number
  /** NaN if there is no value. */
  value: number
}

/** The runs within a view, in order. Neighbours have different values. */
export function stateRuns({ times, values, heldUntilMs }: Samples, { fromMs, toMs }: TimeRange): StateRun[] {
  const runs: StateRun[] = []
  const end = Math.min(toMs, Math.max(heldUntilMs ?? fromMs, times.at(-1) ?? fromMs))
  for (let at = Math.max(firstAt(times, fromMs + 1) - 1, 0); at < times.length; at++) {
    const from = Math.max(times[at] as number, fromMs)
    const to = Math.min(times[at + 1] ?? end, end)
    if (from >= end) break
    if (to <= from) continue
    const value = values[at] as number
    const lastRun = runs.at(-1)
    if (lastRun && Object.is(lastRun.value, value)) lastRun.toMs = to
    else runs.push({ fromMs: from, toMs: to, value })
  }
  return runs
}

/**
 * How long each value lasts within a period, in milliseconds, the lowest value first. Time without a value is left out.
 * @param first the index of the first run that may overlap the period
 */
export function durationsIn(
  runs: readonly StateRun[],
  { fromMs, toMs }: TimeRange,
  first = 0
): [value: number, ms: number][] {
  const msByValue = new Map<number, number>()
  for (let at = first; at < runs.length; at++) {
    const run = runs[at] as StateRun
    if (run.fromMs >= toMs) break
    const ms = Math.min(run.toMs, toMs) - Math.max(run.fromMs, fromMs)
    if (ms > 0 && !Number.isNaN(run.value)) msByValue.set(run.value, (msByValue.get(run.value) ?? 0) + ms)
  }
  return [...msByValue].sort(([a], [b]) => a - b)
}
