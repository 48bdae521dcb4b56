import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import type { Chosen } from './use-selection.ts'

interface SelectionBarProps<Row> {
  /** What a row is called. */
  noun: string
  selection: Chosen<Row>
  /** Said after how many they are. */
  note?: string
  /** What can be done with them. */
  children: ReactNode
}

/** At the foot of a list as long as rows are ticked, where it moves none of them. What it says has its place before. */
export function SelectionBar<Row>({ noun, selection, note = '', children }: SelectionBarProps<Row>) {
  const { length } = selection.rows
  return (
    <section className="row selection-bar" aria-label={length ? `Selected ${noun}s` : undefined}>
      <p role="status">{length > 0 && `${formatNumber(length)} selected${note}`}</p>
      {length > 0 && (
        <>
          {children}
          <button
            type="button"
            className="button quiet icon"
            aria-label="Clear selection"
            title="Clear selection"
            onClick={() => selection.drop()}
          >
            <X />
          </button>
        </>
      )}
    </section>
  )
}
