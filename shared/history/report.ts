// Reads a saved report: its points and its range. A relative range has no times, so it follows the clock. Older reports lack
// some fields.
import type { Report } from '../answers/files.ts'
import { CUSTOM_RANGE, type DateFilter, filterNamed, type TimeRange } from '../time/date-ranges.ts'

export interface ReportPoint {
  deviceUuid: string
  cloudId: string
  /** The names when the report was saved; null if unknown. */
  pointName: string | null
  deviceName: string | null
}

export function pointsOfReport({ reportDetails }: Partial<Report>): ReportPoint[] {
  const { selectedPoints } = reportDetails ?? {}
  return (Array.isArray(selectedPoints) ? selectedPoints : []).flatMap(pointIn)
}

type ReportRange =
  | { filter: typeof CUSTOM_RANGE; range: TimeRange }
  | { filter: Exclude<DateFilter, typeof CUSTOM_RANGE>; range: null }

/** A report without a known range, or with a custom one without times, is one of Month-To-Date. */
export function rangeOfReport(report: Partial<Report>): ReportRange {
  const name = report.reportDetails?.selectedDateFilter
  const savedFilter = typeof name === 'string' ? filterNamed(name) : null
  if (savedFilter !== null && savedFilter !== CUSTOM_RANGE) return { filter: savedFilter, range: null }
  const fromMs = Date.parse(report.startTime ?? '')
  const toMs = Date.parse(report.endTime ?? '')
  if (fromMs < toMs) return { filter: CUSTOM_RANGE, range: { fromMs, toMs } }
  return { filter: 'Month-To-Date', range: null }
}

function pointIn(item: unknown): ReportPoint[] {
  const { device, point, deviceName, pointName } = (item ?? {}) as Record<string, unknown>
  const deviceUuid = identifier(device, 'deviceUuid')
  const cloudId = identifier(point, 'cloudId')
  if (!deviceUuid || !cloudId) return []
  return [{ deviceUuid, cloudId, deviceName: textOrNull(deviceName), pointName: textOrNull(pointName) }]
}

// Older reports contain whole devices and points instead of their ids.
function identifier(value: unknown, name: string): string | null {
  if (typeof value === 'object' && value !== null) return textOrNull((value as Record<string, unknown>)[name])
  return textOrNull(value)
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
