/** The space that a column needs, in px. */
export interface ColumnNeed {
  /** The width of the longest content. */
  need: number
  /** A column never gets less than this width. */
  min: number
  /** Whether the column shares the space that no column needs. */
  grows: boolean
}

/** Halving the range 20 times finds the width of a column of 4,000 px to a hundredth of a pixel. */
const HALVINGS = 20

/**
 * Divides a table's width between its columns, in px. If there is enough space, no column is cut, and the columns that
 * grow share the rest in proportion to their content. If there is too little space, only the widest columns are cut, all
 * at the same width. The result is wider than the table if even the minimums do not fit.
 */
export function fitColumns(columns: readonly ColumnNeed[], available: number): number[] {
  const wanted = columns.map(({ need, min }) => Math.max(need, min))
  const spare = available - sum(wanted)
  if (spare < 0) return cutWidest(columns, available)
  const growing = columns.map(({ need, min, grows }) => (grows ? Math.max(need, min) : 0))
  const total = sum(growing)
  return wanted.map((width, index) => width + (total > 0 ? (spare * (growing[index] ?? 0)) / total : 0))
}

function cutWidest(columns: readonly ColumnNeed[], available: number): number[] {
  const cutAt = (width: number) => columns.map(({ need, min }) => Math.max(min, Math.min(need, width)))
  let low = 0
  let high = Math.max(...columns.map(({ need }) => need))
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = (low + high) / 2
    if (sum(cutAt(middle)) > available) high = middle
    else low = middle
  }
  return cutAt(low)
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
