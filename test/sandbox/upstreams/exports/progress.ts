// What has become of an export by a time: it waits, runs, and is ready for a week unless it failed or was cancelled.

import type { ExportRecord } from '../../records/work.ts'
import { SAMPLE_MS } from '../../simulation/histories.ts'

const KEPT_MS = 7 * 86_400_000

export interface Progress {
  status: 'QUEUED' | 'RUNNING' | 'READY' | 'FAILED' | 'CANCELLED' | 'EXPIRED'
  /** 0 to 100. */
  percent: number
  completedMs: number | null
  expiresMs: number | null
}

export function progressOf(one: ExportRecord, timeMs: number): Progress {
  const beganMs = one.createdMs + one.queuedForMs
  const endMs = beganMs + one.runsForMs
  const until = Math.min(timeMs, one.cancelledMs ?? timeMs)
  const percent = Math.floor((100 * Math.min(Math.max(until - beganMs, 0), one.runsForMs)) / one.runsForMs)
  const unfinished = { percent, completedMs: null, expiresMs: null }
  if (one.cancelledMs !== null) return { ...unfinished, status: 'CANCELLED', completedMs: one.cancelledMs }
  if (timeMs < beganMs) return { ...unfinished, status: 'QUEUED' }
  if (timeMs < endMs) return { ...unfinished, status: 'RUNNING' }
  if (one.failureReason !== null) return { ...unfinished, status: 'FAILED', percent: 0, completedMs: endMs }
  const expiresMs = endMs + KEPT_MS
  return { status: timeMs < expiresMs ? 'READY' : 'EXPIRED', percent, completedMs: endMs, expiresMs }
}

/** A row for each quarter of an hour. */
export function rowCount(one: ExportRecord): number {
  const first = Math.ceil(Date.parse(one.startTime) / SAMPLE_MS)
  return Math.max(0, Math.ceil(Date.parse(one.endTime) / SAMPLE_MS) - first)
}

export function pointCount(one: ExportRecord): number {
  return one.selectedPoints.reduce((sum, { pointIds }) => sum + pointIds.length, 0)
}

export function sizeBytes(one: ExportRecord): number {
  return 40 + rowCount(one) * (20 + 7 * pointCount(one)) * (one.format === 'JSON' ? 3 : 1)
}
