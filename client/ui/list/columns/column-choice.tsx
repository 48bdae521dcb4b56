// Which columns of a list show and in which order: as text for an address and for this browser's memory, the ids in their
// order, with a minus before those that do not show.
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Columns3 from 'lucide-react/icons/columns-3'
import { useMemo, useState } from 'react'
import { recall, remember } from '../../../lib/storage.ts'
import { Checkbox } from '../../input/field.tsx'
import { DataTable, type DataTableProps } from '../data-table.tsx'
import { Popover } from '../popover.tsx'

export interface ChosenColumn {
  id: string
  header: string
  shown: boolean
}

type Choosable = Pick<ChosenColumn, 'id' | 'header'>

/** What a text chooses. Columns that it does not know come last, as they are without a choice. */
export function readChoice(
  columns: readonly Choosable[],
  hidden: readonly string[],
  text: string
): ChosenColumn[] {
  const said = text.split(',').map((word) => ({ id: word.replace(/^-/, ''), shown: !word.startsWith('-') }))
  const known = said.flatMap(({ id, shown }) => {
    const column = columns.find((one) => one.id === id)
    return column ? [{ id, header: column.header, shown }] : []
  })
  const rest = columns.filter(({ id }) => !known.some((one) => one.id === id))
  return [...known, ...rest.map(({ id, header }) => ({ id, header, shown: !hidden.includes(id) }))]
}

export function writeChoice(chosen: readonly ChosenColumn[]): string {
  return chosen.map(({ id, shown }) => (shown ? id : `-${id}`)).join(',')
}

/** The choice with one column a step further to the front or to the back. */
export function movedColumn(chosen: readonly ChosenColumn[], id: string, step: -1 | 1): ChosenColumn[] {
  const at = chosen.findIndex((one) => one.id === id)
  const column = chosen[at]
  return column ? chosen.toSpliced(at, 1).toSpliced(Math.max(at + step, 0), 0, column) : [...chosen]
}

export interface ChoiceOptions {
  /** By which name this browser remembers what is chosen. */
  list: string
  /** Columns that show once somebody asks for them. */
  hidden?: readonly string[]
  /** The choice of the address, if it has one, and where its changes go. */
  asked?: { text: string; onChange: (text: string) => void } | undefined
  /** Columns that cannot show now. */
  omit?: readonly string[] | undefined
}

const NONE: readonly string[] = []

/** A table whose columns can be chosen and ordered. The first names the row and the actions end it: these always show. */
export function ColumnTable<Row>(props: DataTableProps<Row> & ChoiceOptions) {
  const { list, hidden = NONE, asked, omit = NONE, columns, ...table } = props
  const stored = `portal.columns.${list}`
  const [own, setOwn] = useState(() => {
    const before = recall<unknown>(stored)
    return typeof before === 'string' ? before : ''
  })
  const text = asked?.text || own
  const chosen = useMemo(() => {
    const choosable = columns.filter(({ silent }, index) => index > 0 && !silent)
    return readChoice(choosable, hidden, text)
  }, [columns, hidden, text])
  const shown = useMemo(
    () => [
      ...columns.slice(0, 1),
      ...chosen.flatMap(({ id, shown }) =>
        shown && !omit.includes(id) ? columns.filter((column) => column.id === id) : []
      ),
      ...columns.filter(({ silent }, index) => index > 0 && silent)
    ],
    [columns, chosen, omit]
  )
  function change(next: ChosenColumn[]) {
    const words = writeChoice(next)
    setOwn(words)
    remember(stored, words)
    if (asked?.text) asked.onChange(words)
  }
  return <DataTable {...table} columns={shown} corner={<ColumnMenu chosen={chosen} onChange={change} />} />
}

interface ColumnMenuProps {
  chosen: readonly ChosenColumn[]
  onChange: (chosen: ChosenColumn[]) => void
}

/** Which columns show, and in which order. */
function ColumnMenu({ chosen, onChange }: ColumnMenuProps) {
  return (
    <span className="columns-menu" title="Columns">
      <Popover
        className="button quiet icon"
        label={
          <>
            <Columns3 />
            <span className="sr-only">Columns</span>
          </>
        }
        legend="Columns"
      >
        {chosen.map((column, at) => (
          <div key={column.id} className="column-choice">
            <Checkbox
              label={column.header}
              checked={column.shown}
              onChange={(shown) => onChange(chosen.map((one) => (one === column ? { ...one, shown } : one)))}
            />
            {([-1, 1] as const).map((step) => {
              const Icon = step < 0 ? ArrowUp : ArrowDown
              const end = at + step < 0 || at + step >= chosen.length
              return (
                <button
                  key={step}
                  type="button"
                  className="button quiet icon"
                  aria-label={`Move ${column.header} ${step < 0 ? 'forward' : 'back'}`}
                  aria-disabled={end}
                  onClick={() => end || onChange(movedColumn(chosen, column.id, step))}
                >
                  <Icon />
                </button>
              )
            })}
          </div>
        ))}
      </Popover>
    </span>
  )
}
