import X from 'lucide-react/icons/x'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
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
  const bar = useRef<HTMLElement>(null)
  useFocusOfBar(bar, length)
  return (
    <section ref={bar} className="row selection-bar" aria-label={length ? `Selected ${noun}s` : undefined}>
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

/** When the bar's buttons disappear with the focus, moves the focus to the row that was selected last, or to the first tick box. */
function useFocusOfBar(bar: RefObject<HTMLElement | null>, length: number): void {
  const lastTickBox = useRef<HTMLElement | null>(null)
  const hadRows = useRef(false)
  useEffect(() => {
    const list = bar.current?.closest('.list-card')
    const tickBoxes = (rows: string) => [
      ...(list?.querySelectorAll<HTMLElement>(`${rows} input[type="checkbox"]`) ?? [])
    ]
    const { activeElement, body } = document
    if (length > 0) lastTickBox.current = tickBoxes('[data-selected]').at(-1) ?? null
    else if (hadRows.current && (activeElement === body || activeElement === null)) {
      const target = lastTickBox.current?.isConnected ? lastTickBox.current : tickBoxes('')[0]
      target?.focus()
    }
    hadRows.current = length > 0
  }, [bar, length])
}
