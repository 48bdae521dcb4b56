import ChevronDown from 'lucide-react/icons/chevron-down'
import { type ReactNode, useId } from 'react'
import { Checkbox } from '../../input/field.tsx'
import { useDisclosure } from '../../input/use-disclosure.ts'

interface PopoverProps {
  label: ReactNode
  legend: ReactNode
  className?: string
  children: ReactNode
}

/** Fields below a button. Escape, or a click or focus elsewhere, closes it. */
export function Popover({ label, legend, className = 'button', children }: PopoverProps) {
  const { open, setOpen, root, button, close } = useDisclosure()
  const id = useId()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape anywhere inside closes it
    <div
      className="anchor menu-root filter-menu"
      ref={root}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return
        event.stopPropagation()
        // Otherwise a dialog around the popover closes too.
        event.preventDefault()
        close()
      }}
    >
      <button
        ref={button}
        type="button"
        className={className}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {label}
      </button>
      {open && (
        <fieldset id={id} className="menu filter-choices">
          <legend className="sr-only">{legend}</legend>
          {children}
        </fieldset>
      )}
    </div>
  )
}

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
