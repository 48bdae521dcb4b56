// Figures of many measurements, and tables of them.

/** The value that a share `q` of the values (0 to 1) does not exceed. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * q) - 1)] ?? Number.NaN
}

/** The middle value. */
export function median(values: readonly number[]): number {
  return (
    (quantile(values, 0.5) +
      -quantile(
        values.map((value) => -value),
        0.5
      )) /
    2
  )
}

export interface Latency {
  p50: number
  p99: number
}

export function latencyOf(ms: readonly number[]): Latency {
  return { p50: quantile(ms, 0.5), p99: quantile(ms, 0.99) }
}

/** A Markdown table; columns after the first are right-aligned. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const all = [head, ...rows.map((row) => row.map(String))]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  const [first = [], ...others] = all
  return [line(first), line(rule), ...others.map(line)].join('\n')
}
