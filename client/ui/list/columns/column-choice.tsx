// The visible columns of a list and their order. The address and the storage contain the columns' ids in order, with a
// minus before hidden columns.
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Columns3 from 'lucide-react/icons/columns-3'
import { useMemo } from 'react'
import { useStored } from '../../../lib/use-stored.ts'
import { Checkbox } from '../../input/field.tsx'
import { IconButton } from '../../input/icon-button.tsx'
import type { Density } from '../density.ts'
import { Popover } from '../filters/popover.tsx'
import type { ListColumn } from './column.ts'

interface ChosenColumn {
  id: string
  header: string
  shown: boolean
}

type Choosable = Pick<ListColumn<never>, 'id' | 'header' | 'table'>

/** Columns that are not in the text come last, shown or hidden by default. */
export function readChoice(columns: readonly Choosable[], text: string): ChosenColumn[] {
  const words = text.split(',').map((word) => ({ id: word.replace(/^-/, ''), shown: !word.startsWith('-') }))
  const textColumns = words.flatMap(({ id, shown }) => {
    const column = columns.find((item) => item.id === id)
    return column ? [{ id, header: column.header, shown }] : []
  })
  const otherColumns = columns.filter(({ id }) => !textColumns.some((item) => item.id === id))
  return [
    ...textColumns,
    ...otherColumns.map(({ id, header, table }) => ({ id, header, shown: table !== 'on-demand' }))
  ]
}

export function writeChoice(chosen: readonly ChosenColumn[]): string {
  return chosen.map(({ id, shown }) => (shown ? id : `-${id}`)).join(',')
}

export function movedColumn(chosen: readonly ChosenColumn[], id: string, step: -1 | 1): ChosenColumn[] {
  const index = chosen.findIndex((item) => item.id === id)
  const column = chosen[index]
  return column ? chosen.toSpliced(index, 1).toSpliced(Math.max(index + step, 0), 0, column) : [...chosen]
}

export interface ChoiceOptions {
  /** The choice in the list's address, which replaces the stored choice. */
  inAddress?: { text: string; onChange: (text: string) => void }
  /** Columns that the list hides now, even if the person chose them. */
  omit?: readonly string[] | undefined
}

interface ColumnChoice<Row> {
  shown: readonly ListColumn<Row>[]
  chosen: readonly ChosenColumn[]
  change: (chosen: ChosenColumn[]) => void
}

/** The visible columns, and the state of the menu that chooses and orders them. The first column always shows. */
export function useColumnChoice<Row>(
  list: string,
  columns: readonly ListColumn<Row>[],
  { inAddress, omit }: ChoiceOptions
): ColumnChoice<Row> {
  const [storedText, setStoredText] = useStored(`portal.columns.${list}`, '')
  const text = inAddress?.text || storedText
  const [chosen, shown] = useMemo(() => {
    const [firstColumn, ...choosableColumns] = columns.filter(({ table }) => table !== false)
    const chosen = readChoice(choosableColumns, text)
    const ids = chosen.filter(({ id, shown }) => shown && !omit?.includes(id)).map(({ id }) => id)
    const shown = ids.flatMap((id) => choosableColumns.filter((column) => column.id === id))
    return [chosen, firstColumn ? [firstColumn, ...shown] : shown]
  }, [columns, text, omit])
  function change(newColumns: ChosenColumn[]) {
    const newText = writeChoice(newColumns)
    setStoredText(newText)
    if (inAddress?.text) inAddress.onChange(newText)
  }
  return { shown, chosen, change }
}

interface ColumnMenuProps {
  chosen: readonly ChosenColumn[]
  onChange: (chosen: ChosenColumn[]) => void
  density: Density
  onDensity: (density: Density) => void
}

/** The columns of a table and the height of its rows. */
export function ColumnMenu({ chosen, onChange, density, onDensity }: ColumnMenuProps) {
  return (
    <span className="columns-menu" title="Columns">
      <Popover
        className="button icon"
        alignment="end"
        label={
          <>
            <Columns3 />
            <span className="sr-only">Columns</span>
          </>
        }
        legend="Columns"
      >
        {chosen.map((column, index) => (
          <div key={column.id} className="column-choice">
            <Checkbox
              label={column.header}
              checked={column.shown}
              onChange={(shown) =>
                onChange(chosen.map((item) => (item === column ? { ...item, shown } : item)))
              }
            />
            {([-1, 1] as const).map((step) => (
              <IconButton
                key={step}
                name={`Move ${column.header} ${step < 0 ? 'up' : 'down'}`}
                Icon={step < 0 ? ArrowUp : ArrowDown}
                off={index + step < 0 || index + step >= chosen.length}
                onPress={() => onChange(movedColumn(chosen, column.id, step))}
              />
            ))}
          </div>
        ))}
        <Checkbox
          label="Higher rows"
          checked={density === 'comfortable'}
          onChange={(isHigher) => onDensity(isHigher ? 'comfortable' : 'compact')}
        />
      </Popover>
    </span>
  )
}
