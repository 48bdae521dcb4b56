import { useState } from 'react'

export interface Chosen<Row> {
  keys: ReadonlySet<string>
  rows: readonly Row[]
  /** Keeps the selected rows of other pages. */
  change: (keys: ReadonlySet<string>, inSight: readonly Row[]) => void
  /** Deselects these or all rows. */
  drop: (keys?: readonly string[]) => void
}

/** The selected rows of all pages. */
export function useSelection<Row>(keyOf: (row: Row) => string): Chosen<Row> {
  const [known, setKnown] = useState<ReadonlyMap<string, Row>>(new Map())
  return {
    keys: new Set(known.keys()),
    rows: [...known.values()],
    change: (keys, inSight) =>
      setKnown((before) => {
        const all = new Map([...before, ...inSight.map((row) => [keyOf(row), row] as const)])
        return new Map([...all].filter(([key]) => keys.has(key)))
      }),
    drop: (keys) =>
      setKnown((before) => (keys ? new Map([...before].filter(([key]) => !keys.includes(key))) : new Map()))
  }
}
