import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Columns3 from 'lucide-react/icons/columns-3'
import { Checkbox } from '../../input/field.tsx'
import { Popover } from '../popover.tsx'
import { type ChosenColumn, movedColumn } from './column-choice.ts'

interface ColumnMenuProps {
  chosen: readonly ChosenColumn[]
  onChange: (chosen: ChosenColumn[]) => void
  /** The button is but its icon, as above a row's actions. */
  small?: boolean
}

/** Which columns show, and in which order. */
export function ColumnMenu({ chosen, onChange, small = false }: ColumnMenuProps) {
  return (
    <span className="columns-menu" title={small ? 'Columns' : undefined}>
      <Popover
        className={small ? 'button quiet icon' : 'button'}
        label={
          <>
            <Columns3 />
            <span className={small ? 'sr-only' : undefined}>Columns</span>
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
