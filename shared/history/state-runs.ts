// The runs of a state over time. Each value holds until the next record, the last value until `validUntilMs`.
import type { TimeRange } from '../time/date-ranges.ts'
import { firstAt } from '../time/first-at.ts'
import type { Samples } from './samples.ts'

export interface StateRun {
  fromMs: number
  toMs: number
  /** NaN if there is no value. */
  value: number
}

/** The runs within a view, in order. Neighbours have different values. */
export function stateRuns({ times, values, validUntilMs }: Samples, { fromMs, toMs }: TimeRange): StateRun[] {
  const runs: StateRun[] = []
  const end = Math.min(toMs, Math.max(validUntilMs ?? fromMs, times.at(-1) ?? fromMs))
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

export interface StateSummary {
  /** How long each value lasts, in milliseconds, the lowest value first. Time without a value is left out. */
  durations: readonly (readonly [value: number, ms: number])[]
  /** How often the value changed from 0 (rest) to another value. */
  starts: number
  changes: number
  /** The values of the first and the last run: NaN without a value, null without a run. */
  first: number | null
  last: number | null
}

export const NO_STATES: StateSummary = { durations: [], starts: 0, changes: 0, first: null, last: null }

const isStart = (from: number | null | undefined, to: number) => from === 0 && to !== 0 && !Number.isNaN(to)

/** Sums up the states within a view. */
export function summaryOfStates(samples: Samples, view: TimeRange): StateSummary {
  const runs = stateRuns(samples, view)
  return {
    durations: durationsIn(runs, view),
    starts: runs.filter(({ value }, at) => isStart(runs[at - 1]?.value, value)).length,
    changes: Math.max(runs.length - 1, 0),
    first: runs[0]?.value ?? null,
    last: runs.at(-1)?.value ?? null
  }
}

/** More values than any state has. A broken API may send a new one with each record; further ones are left out. */
export const STATES_MAX = 1_000

/** The summary of two views, one after the other. */
export function joinedStates(before: StateSummary, after: StateSummary): StateSummary {
  if (before.first === null || after.first === null) return before.first === null ? after : before
  const msByValue = new Map(before.durations)
  for (const [value, ms] of after.durations) msByValue.set(value, (msByValue.get(value) ?? 0) + ms)
  const isChange = !Object.is(before.last, after.first)
  return {
    durations: [...msByValue].slice(0, STATES_MAX).sort(([a], [b]) => a - b),
    starts: before.starts + after.starts + (isStart(before.last, after.first) ? 1 : 0),
    changes: before.changes + after.changes + (isChange ? 1 : 0),
    first: before.first,
    last: after.last
  }
}
