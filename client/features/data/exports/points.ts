import type { Export } from '#shared/answers/files.ts'
import type { NewExport } from './api.ts'

export interface ChosenPoint {
  systemGuid: string
  pointId: string
  /** The names of the device and the point; null while they load. */
  label: string | null
}

export function keyOf({ systemGuid, pointId }: Omit<ChosenPoint, 'label'>): string {
  return `${systemGuid} ${pointId}`
}

/** The points of an export to run again; empty without an export. */
export function pointsOf(previous: Export | null): ChosenPoint[] {
  return (previous?.request?.selectedPoints ?? []).flatMap(({ systemGuid, pointIds }) =>
    pointIds.map((pointId) => ({ systemGuid, pointId, label: null }))
  )
}

export function bySystem(points: readonly ChosenPoint[]): NewExport['selectedPoints'] {
  const systems = Map.groupBy(points, ({ systemGuid }) => systemGuid)
  return Array.from(systems, ([systemGuid, systemPoints]) => ({
    systemGuid,
    pointIds: systemPoints.map(({ pointId }) => pointId)
  }))
}

const ROW_INTERVAL_MS = 900_000
const DAY_MS = 86_400_000
const BYTES_PER_FORMAT = { CSV: { row: 20, value: 7 }, JSON: { row: 60, value: 21 } }

/** Estimates a file's rows and bytes for the whole days `from` to `to` (YYYY-MM-DD); zero for an empty range. */
export function estimateOf(points: number, from: string, to: string, format: 'CSV' | 'JSON') {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  const rows = days > 0 ? Math.round((days * DAY_MS) / ROW_INTERVAL_MS) : 0
  const { row, value } = BYTES_PER_FORMAT[format]
  return { rows, bytes: rows * (row + value * points) }
}
