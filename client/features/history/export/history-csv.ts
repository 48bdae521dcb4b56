// What a chart shows as a file: a row for each time, in parts, so that a large one does not hold up the page.

import { type CsvColumn, csvOf } from '../../../lib/csv.ts'
import { isUtc, tellSecond } from '../../../lib/time/offset.ts'
import { type ChartLine, isState, stateTexts } from '../drawing/chart-lines.ts'
import { valueAt } from '../records/history-samples.ts'

const ROWS_AT_ONCE = 2_000

export async function historyCsv(
  lines: readonly ChartLine[],
  times: Float64Array,
  zone: string
): Promise<Blob> {
  const columns: CsvColumn<number>[] = [
    // One of them is enough where they are the same.
    ...(isUtc(zone) ? [] : [{ header: `Time (${zone})`, value: (time: number) => tellSecond(time, zone) }]),
    { header: 'Time (UTC)', value: (time) => new Date(time).toISOString() },
    ...lines.map((line) => ({ header: headerOf(line), value: (time: number) => cellOf(line, time) }))
  ]
  const parts: string[] = [csvOf(columns, [...times.subarray(0, ROWS_AT_ONCE)])]
  for (let at = ROWS_AT_ONCE; at < times.length; at += ROWS_AT_ONCE) {
    await new Promise((resolve) => setTimeout(resolve))
    const [, ...rows] = csvOf(columns, [...times.subarray(at, at + ROWS_AT_ONCE)]).split(/(?<=\r\n)/)
    parts.push(rows.join(''))
  }
  return new Blob(parts, { type: 'text/csv;charset=utf-8' })
}

function headerOf({ name, device, point }: ChartLine): string {
  const unit = point.kind === 'Numeric' && point.units ? ` (${point.units})` : ''
  return `${device ? `${device}: ` : ''}${name}${unit}`
}

// Numbers in full, not as the point rounds them for people.
function cellOf({ samples, point }: ChartLine, time: number): string | number | null {
  const value = valueAt(samples, time)
  if (value === null) return null
  if (Number.isNaN(value)) return 'NaN'
  return isState(point) ? (stateTexts(point).find(({ ordinal }) => ordinal === value)?.text ?? value) : value
}
