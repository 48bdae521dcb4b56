// The state of a row: what will happen to it, or what has happened.
import { isFailed, isOpen, isUnknown, type Result } from '../use-device-run.ts'
import type { PlannedRow } from './plan.ts'

/** A run of the plan's changes; results is null before the first run. */
export interface Run {
  results: ReadonlyMap<string, Result> | null
  running: boolean
}

type Tone = 'ok' | 'danger' | 'plain'

export interface RowState {
  label: string
  /** Why the row was not applied. */
  reason?: string
  tone: Tone
}

export const textOfState = ({ label, reason }: RowState) => (reason ? `${label}. ${reason}` : label)

export function stateOf(row: PlannedRow, { results, running }: Run): RowState {
  if (row.refusals.length > 0) return { label: 'Refused', reason: row.refusals.join(' '), tone: 'danger' }
  if (row.change === null) return { label: 'Unchanged', tone: 'plain' }
  if (results === null) return { label: 'Will change', tone: 'plain' }
  const result = resultOf(row, results)
  if (isFailed(result)) return { label: 'Not changed', reason: result.failed, tone: 'danger' }
  if (isUnknown(result)) return { label: 'Not known', reason: result.unknown, tone: 'danger' }
  if (result === null && running) return { label: 'Waiting', tone: 'plain' }
  if (result === null) return { label: 'Not changed', reason: 'You stopped before its turn.', tone: 'plain' }
  return { label: 'Changed', tone: 'ok' }
}

/** The rows of a plan by what happens to them. */
export interface RowGroups {
  changes: readonly PlannedRow[]
  refused: readonly PlannedRow[]
  unchanged: readonly PlannedRow[]
  /** The changes that have been made. */
  done: readonly PlannedRow[]
  /** The changes that wait, were stopped or failed. */
  open: readonly PlannedRow[]
  /** Those of `open` of which nobody knows whether they have been made. */
  unknown: readonly PlannedRow[]
  /** The number of changes that have succeeded or failed. */
  triedCount: number
}

export function groupsOf(plan: readonly PlannedRow[], results: Run['results']): RowGroups {
  const changes = plan.filter(({ change }) => change !== null)
  const tried = results ? changes.filter((row) => resultOf(row, results) !== null) : []
  return {
    changes,
    refused: plan.filter(({ refusals }) => refusals.length > 0),
    unchanged: plan.filter(({ change, refusals }) => change === null && refusals.length === 0),
    done: results ? changes.filter((row) => resultOf(row, results) === 'changed') : [],
    open: results ? changes.filter((row) => isOpen(resultOf(row, results))) : [],
    unknown: results ? changes.filter((row) => isUnknown(resultOf(row, results))) : [],
    triedCount: tried.length
  }
}

function resultOf({ device }: PlannedRow, results: ReadonlyMap<string, Result>): Result {
  return results.get(device?.deviceUuid ?? '') ?? null
}
