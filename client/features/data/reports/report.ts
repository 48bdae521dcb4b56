// A saved report: points and a range. A relative range has no times, so it follows the clock.
import type { Report as ReportModel } from '#shared/answers/files.ts'
import { pointsOfReport, type ReportPoint, rangeOfReport } from '#shared/history/report.ts'
import { CUSTOM_RANGE, type DateFilter, type TimeRange } from '#shared/time/date-ranges.ts'
import { formatDay } from '../../../lib/time/time.ts'
import { type HistoryView, keyOfPoint } from '../points/history-address.ts'

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
  const points = pointsOfReport(model)
  return {
    reportId: model.reportId,
    reportName: model.reportName,
    customerId: model.customerId,
    customerName: model.customerName ?? '',
    points,
    deviceCount: new Set(points.map(({ deviceUuid }) => deviceUuid)).size,
    ...rangeOfReport(model),
    createdBy: model.createdBy ?? '',
    modified: model.lastModifiedDate ?? model.createdDate ?? null
  }
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

/** The keys of the report's points, each once. */
export const keysOfReport = ({ points }: Report) => [...new Set(points.map(keyOfPoint))]

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
