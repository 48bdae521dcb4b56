import ChevronDown from 'lucide-react/icons/chevron-down'
import type { ReactNode } from 'react'
import { Checkbox } from '../../input/field.tsx'
import { Popover } from './popover.tsx'

export interface Choice {
  value: string
  label: string
}

interface FilterMenuProps {
  label: ReactNode
  choices: readonly Choice[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

export function FilterMenu({ label, choices, chosen, onChange }: FilterMenuProps) {
  return (
    <Popover
      legend={label}
      label={
        <>
          {label}
          {chosen.length > 0 && <span className="badge plain">{chosen.length}</span>}
          <ChevronDown />
        </>
      }
    >
      {choices.map(({ value, label: text }) => (
        <Checkbox
          key={value}
          label={text}
          checked={chosen.includes(value)}
          onChange={(on) => onChange(on ? [...chosen, value] : chosen.filter((item) => item !== value))}
        />
      ))}
    </Popover>
  )
}
