import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { IconButton } from '../../input/icon-button.tsx'
import type { Chosen } from './use-selection.ts'

interface SelectionBarProps<Row> {
  noun: string
  selection: Chosen<Row>
  /** Text after the number of selected rows. */
  note?: string
  children: ReactNode
}

/** Shows below the list, so that rows do not shift. The status is always mounted, so that the first selection is announced. */
export function SelectionBar<Row>({ noun, selection, note = '', children }: SelectionBarProps<Row>) {
  const { length } = selection.rows
  return (
    <section className="row selection-bar" aria-label={length ? `Selected ${noun}s` : undefined}>
      <p role="status">{length > 0 && `${formatNumber(length)} selected${note}`}</p>
      {length > 0 && (
        <>
          {children}
          <IconButton name="Clear selection" Icon={X} onPress={() => selection.drop()} />
        </>
      )}
    </section>
  )
}
