import type { ReactNode } from 'react'
import { type Alignment, usePopup } from '../../input/use-popup.ts'

interface PopoverProps {
  label: ReactNode
  legend: ReactNode
  className?: string
  alignment?: Alignment
  children: ReactNode
}

/** Fields below a button. */
export function Popover({
  label,
  legend,
  className = 'button',
  alignment = 'start',
  children
}: PopoverProps) {
  const { open, button, popup } = usePopup({ alignment })
  return (
    <div className="filter-menu">
      <button {...button} type="button" className={className}>
        {label}
      </button>
      <div {...popup} className="menu filter-choices">
        {open && (
          <fieldset>
            <legend className="sr-only">{legend}</legend>
            {children}
          </fieldset>
        )}
      </div>
    </div>
  )
}
