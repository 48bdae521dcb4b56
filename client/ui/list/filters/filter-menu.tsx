import ListFilter from 'lucide-react/icons/list-filter'
import type { ReactNode } from 'react'
import { Checkbox } from '../../input/field.tsx'
import { Popover } from '../popover.tsx'

export interface Choice {
  value: string
  label: string
}

interface FilterMenuProps {
  /** What is filtered by: "Role". */
  label: ReactNode
  choices: readonly Choice[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** Several values of one property: a button that opens boxes to tick. */
export function FilterMenu({ label, choices, chosen, onChange }: FilterMenuProps) {
  return (
    <Popover
      legend={label}
      label={
        <>
          <ListFilter />
          {label}
          {chosen.length > 0 && <span className="tab-count">{chosen.length}</span>}
        </>
      }
    >
      {choices.map(({ value, label: text }) => (
        <Checkbox
          key={value}
          label={text}
          checked={chosen.includes(value)}
          onChange={(on) => onChange(on ? [...chosen, value] : chosen.filter((one) => one !== value))}
        />
      ))}
    </Popover>
  )
}
