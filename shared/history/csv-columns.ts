// The columns of recorded values in CSV, for exports of charts and for the data of reports.
import type { CsvColumn } from '../csv.ts'
import { isUtc, secondWithOffset } from '../time/zones.ts'
import { isState, type PointType, stateTexts } from './point-type.ts'

/** The time in the zone and in UTC; one column if they are the same. */
export function timeColumns<Row>(name: string, zone: string, timeOf: (row: Row) => number): CsvColumn<Row>[] {
  const utc = { header: `${name} (UTC)`, value: (row: Row) => new Date(timeOf(row)).toISOString() }
  if (isUtc(zone)) return [utc]
  return [{ header: `${name} (${zone})`, value: (row) => secondWithOffset(timeOf(row), zone) }, utc]
}

/** "AHU-1: Supply Air Temp (°C)". */
export function valueHeader({
  name,
  device,
  point
}: {
  name: string
  device: string
  point: PointType
}): string {
  const unit = point.kind === 'Numeric' && point.units ? ` (${point.units})` : ''
  return `${device ? `${device}: ` : ''}${name}${unit}`
}

/** A number with all its digits, the text of a state, "NaN" for a record without a valid value, null without a record. */
export function valueCell(point: PointType, value: number | null): string | number | null {
  if (value === null) return null
  if (Number.isNaN(value)) return 'NaN'
  return isState(point) ? (stateTexts(point).find(({ ordinal }) => ordinal === value)?.text ?? value) : value
}
