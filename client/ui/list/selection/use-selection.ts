import { useState } from 'react'

export interface Chosen<Row> {
  keys: ReadonlySet<string>
  rows: readonly Row[]
  /** Selects exactly the rows of `keys`, also on other pages. `visibleRows` are the rows of the current page. */
  change: (keys: ReadonlySet<string>, visibleRows: readonly Row[]) => void
  /** Deselects the rows of `keys`, or all rows. */
  drop: (keys?: readonly string[]) => void
}

/** The selected rows of all pages. */
export function useSelection<Row>(keyOf: (row: Row) => string): Chosen<Row> {
  const [rowsByKey, setRowsByKey] = useState<ReadonlyMap<string, Row>>(new Map())
  return {
    keys: new Set(rowsByKey.keys()),
    rows: [...rowsByKey.values()],
    change: (keys, visibleRows) =>
      setRowsByKey((previous) => {
        const candidates = new Map([...previous, ...visibleRows.map((row) => [keyOf(row), row] as const)])
        return new Map([...candidates].filter(([key]) => keys.has(key)))
      }),
    drop: (keys) =>
      setRowsByKey((previous) =>
        keys ? new Map([...previous].filter(([key]) => !keys.includes(key))) : new Map()
      )
  }
}
