// Quantiles, medians and text tables.

/** The quantile `q` (0 to 1) of the values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * q) - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length / 2
  return ((sorted[Math.ceil(half) - 1] ?? Number.NaN) + (sorted[Math.floor(half)] ?? Number.NaN)) / 2
}

type Row = readonly (string | number)[]

export function table(head: readonly string[], rows: readonly Row[]): string {
  const allRows = [head, ...rows.map((row) => row.map(String))]
  const widths = head.map((_, column) => Math.max(...allRows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[0] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  const [headRow = [], ...bodyRows] = allRows
  return [line(headRow), line(rule), ...bodyRows.map(line)].join('\n')
}
