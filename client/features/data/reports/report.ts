// A saved report: points and a range. A relative range has no times, so it follows the clock.
import type { Report as ReportModel } from '#shared/answers/files.ts'
import { CUSTOM_RANGE, type DateFilter, filterNamed, type TimeRange } from '#shared/time/date-ranges.ts'
import { formatDay } from '../../../lib/time/time.ts'
import type { HistoryView, PointRef } from '../points/history-address.ts'

export interface ReportPoint extends PointRef {
  /** The names when the report was saved; null if unknown. */
  pointName: string | null
  deviceName: string | null
}

export interface Report {
  reportId: string
  reportName: string
  customerId: string
  customerName: string
  points: readonly ReportPoint[]
  deviceCount: number
  filter: DateFilter
  range: TimeRange | null
  createdBy: string
  modified: string | null
}

/** Older reports lack some fields. */
type StoredReport = Pick<ReportModel, 'reportId' | 'reportName'> &
  Partial<ReportModel> & { customerId: string }

export function reportOf(model: StoredReport): Report {
  const { selectedDateFilter, selectedPoints } = model.reportDetails ?? {}
  const points = (Array.isArray(selectedPoints) ? selectedPoints : []).flatMap(pointIn)
  const from = Date.parse(model.startTime ?? '')
  const to = Date.parse(model.endTime ?? '')
  const range = from < to ? { fromMs: from, toMs: to } : null
  const savedFilter = typeof selectedDateFilter === 'string' ? filterNamed(selectedDateFilter) : null
  return {
    reportId: model.reportId,
    reportName: model.reportName,
    customerId: model.customerId,
    customerName: model.customerName ?? '',
    points,
    deviceCount: new Set(points.map(({ deviceUuid }) => deviceUuid)).size,
    filter: savedFilter ?? (range ? CUSTOM_RANGE : 'Month-To-Date'),
    range,
    createdBy: model.createdBy ?? '',
    modified: model.lastModifiedDate ?? model.createdDate ?? null
  }
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

export type ReportBody = ReturnType<typeof reportBody>

/** The stored form of a report. A relative range has no times. */
export function reportBody(
  reportName: string,
  points: readonly ReportPoint[],
  filter: DateFilter,
  range: TimeRange | null
) {
  const isFixed = filter === CUSTOM_RANGE && range !== null
  return {
    reportName: reportName.trim(),
    reportDetails: {
      selectedDateFilter: filter,
      selectedPoints: points.map(({ deviceUuid, cloudId, deviceName, pointName }) => ({
        device: deviceUuid,
        point: cloudId,
        ...(deviceName ? { deviceName } : {}),
        ...(pointName ? { pointName } : {})
      }))
    },
    startTime: isFixed ? new Date(range.fromMs).toISOString() : null,
    endTime: isFixed ? new Date(range.toMs).toISOString() : null
  }
}

export function reportRangeText({ filter, range }: Pick<Report, 'filter' | 'range'>, zone: string): string {
  if (filter !== CUSTOM_RANGE || !range) return filter
  const [firstDay, lastDay] = [range.fromMs, range.toMs - 1].map((ms) =>
    formatDay(new Date(ms).toISOString(), zone)
  )
  return firstDay === lastDay ? String(firstDay) : `${firstDay} – ${lastDay}`
}

export function viewOfReport(report: Report): Pick<HistoryView, 'points' | 'filter' | 'custom'> {
  return {
    points: report.points.map(({ deviceUuid, cloudId }) => ({ deviceUuid, cloudId })),
    filter: report.filter,
    custom: report.filter === CUSTOM_RANGE ? report.range : null
  }
}

/** An unused name for a copy. */
export function copyName(name: string, takenNames: readonly string[], maxCharacters: number): string {
  for (let number = 1; ; number++) {
    const ending = number === 1 ? ' - copy' : ` - copy ${number}`
    const copy = `${[...name]
      .slice(0, maxCharacters - ending.length)
      .join('')
      .trimEnd()}${ending}`
    if (!takenNames.includes(copy)) return copy
  }
}
