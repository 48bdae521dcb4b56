// What a state was for how long: each value holds until the next record, the last one as long as it is known to hold.
import type { TimeRange } from '../../../lib/time/date-range.ts'
import { firstAt, type Samples } from '../records/history-samples.ts'

export interface StateRun {
  fromMs: number
  toMs: number
  /** NaN where the record has no value; null where it changes too often to be told. */
  value: number | null
}

/**
 * The runs within a view. Runs shorter than `shortestMs` become one with those beside them, as a pixel cannot show more.
 */
export function stateRuns(
  { times, values }: Samples,
  { fromMs, toMs }: TimeRange,
  heldUntilMs: number,
  shortestMs = 0
): StateRun[] {
  const runs: StateRun[] = []
  const end = Math.min(toMs, Math.max(heldUntilMs, times.at(-1) ?? fromMs))
  for (let at = Math.max(firstAt(times, fromMs + 1) - 1, 0); at < times.length; at++) {
    const from = Math.max(times[at] as number, fromMs)
    const to = Math.min(times[at + 1] ?? end, end)
    if (from >= end) break
    if (to > from) add(runs, { fromMs: from, toMs: to, value: values[at] as number }, shortestMs)
  }
  return runs
}

function add(runs: StateRun[], run: StateRun, shortestMs: number): void {
  const last = runs.at(-1)
  if (!last) return void runs.push(run)
  const short = run.toMs - run.fromMs < shortestMs && last.toMs - last.fromMs < shortestMs
  const full = last.value === null && last.toMs - last.fromMs >= shortestMs
  if (Object.is(last.value, run.value)) last.toMs = run.toMs
  else if ((short || last.value === null) && !full && run.toMs - run.fromMs < shortestMs)
    Object.assign(last, { toMs: run.toMs, value: null })
  else runs.push(run)
}

export interface StateTime {
  value: number
  ms: number
}

/** How long each value held within a view, the longest first. Times without a value count for none. */
export function timeInStates(runs: readonly StateRun[]): StateTime[] {
  const times = new Map<number, number>()
  for (const { value, fromMs, toMs } of runs)
    if (value !== null && !Number.isNaN(value)) times.set(value, (times.get(value) ?? 0) + toMs - fromMs)
  return [...times].map(([value, ms]) => ({ value, ms })).sort((a, b) => b.ms - a.ms)
}

/** How often the state left rest, which is 0, within a view: what was running when it began has not started there. */
export function startsIn(runs: readonly StateRun[]): number {
  let starts = 0
  for (const [at, { value }] of runs.entries()) if (value && runs[at - 1]?.value === 0) starts += 1
  return starts
}
