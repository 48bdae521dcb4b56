import { useCallback, useState } from 'react'

export interface Chosen<Row> {
  keys: ReadonlySet<string>
  rows: readonly Row[]
  /** Selects exactly the rows of `keys`, also on other pages. `visibleRows` are the rows of the current page. */
  change: (keys: ReadonlySet<string>, visibleRows: readonly Row[]) => void
  /** Deselects the rows of `keys`, or all rows. The same function in every render. */
  drop: (keys?: readonly string[]) => void
}

/** The selected rows of all pages: those of the current page as it shows them, the others as they were. */
export function useSelection<Row>(keyOf: (row: Row) => string, visible: readonly Row[] = []): Chosen<Row> {
  const [rowsByKey, setRowsByKey] = useState<ReadonlyMap<string, Row>>(new Map())
  const visibleByKey = new Map(visible.map((row) => [keyOf(row), row]))
  const drop = useCallback(
    (keys?: readonly string[]) =>
      setRowsByKey((previous) =>
        keys ? new Map([...previous].filter(([key]) => !keys.includes(key))) : new Map()
      ),
    []
  )
  return {
    keys: new Set(rowsByKey.keys()),
    rows: [...rowsByKey].map(([key, row]) => visibleByKey.get(key) ?? row),
    change: (keys, visibleRows) =>
      setRowsByKey((previous) => {
        const candidates = new Map([...previous, ...visibleRows.map((row) => [keyOf(row), row] as const)])
        return new Map([...candidates].filter(([key]) => keys.has(key)))
      }),
    drop
  }
}
