// How big an export will be, before it is started: histories hold a sample each quarter of an hour.
const SAMPLE_MS = 900_000
const DAY_MS = 86_400_000
const BYTES = { CSV: { row: 20, value: 7 }, JSON: { row: 60, value: 21 } }

/** Rows and bytes of whole days `from` to `to` (YYYY-MM-DD); zero for a range that is none. */
export function estimateOf(points: number, from: string, to: string, format: 'CSV' | 'JSON') {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  const rows = days > 0 ? Math.round((days * DAY_MS) / SAMPLE_MS) : 0
  const { row, value } = BYTES[format]
  return { rows, bytes: rows * (row + value * points) }
}
