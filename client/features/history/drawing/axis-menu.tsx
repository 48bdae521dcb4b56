import SlidersVertical from 'lucide-react/icons/sliders-vertical'
import { useState } from 'react'
import type { AxisChoice } from '../../../ui/chart/chart-series.ts'
import { Checkbox, TextField } from '../../../ui/input/field.tsx'
import { Popover } from '../../../ui/list/popover.tsx'

const AUTOMATIC: AxisChoice = { min: null, max: null, log: false }

interface AxisMenuProps {
  units: readonly string[]
  axes: Readonly<Record<string, AxisChoice>>
  onAxis: (unit: string, choice: AxisChoice | null) => void
}

/** Sets from where to where the axes of a chart go, and in which steps. */
export function AxisMenu({ units, axes, onAxis }: AxisMenuProps) {
  const name = `Axis of ${units.join(' and ')}`
  return (
    <Popover
      label={
        <>
          <SlidersVertical />
          <span className="sr-only">{name}</span>
        </>
      }
      legend={name}
      className="button quiet icon small"
    >
      {units.map((unit) => (
        <AxisForm
          key={unit}
          unit={unit}
          choice={axes[unit] ?? AUTOMATIC}
          onChange={(choice) => onAxis(unit, choice)}
        />
      ))}
    </Popover>
  )
}

const textOf = (value: number | null) => (value === null ? '' : String(value))
const numberOf = (text: string) => (text.trim() === '' ? null : Number(text.replace(',', '.')))

interface AxisFormProps {
  unit: string
  choice: AxisChoice
  onChange: (choice: AxisChoice | null) => void
}

function AxisForm({ unit, choice, onChange }: AxisFormProps) {
  const [draft, setDraft] = useState({ min: textOf(choice.min), max: textOf(choice.max) })
  const [error, setError] = useState<string | null>(null)
  function apply(log: boolean) {
    const [min, max] = [numberOf(draft.min), numberOf(draft.max)]
    const problem = axisProblem({ min, max, log })
    setError(problem)
    if (!problem) onChange(min === null && max === null && !log ? null : { min, max, log })
  }
  return (
    <form
      className="axis-form"
      onSubmit={(event) => {
        event.preventDefault()
        apply(choice.log)
      }}
    >
      <TextField
        label={`From (${unit})`}
        inputMode="decimal"
        placeholder="Automatic"
        value={draft.min}
        error={error}
        onChange={(min) => setDraft({ ...draft, min })}
      />
      <TextField
        label={`To (${unit})`}
        inputMode="decimal"
        placeholder="Automatic"
        value={draft.max}
        onChange={(max) => setDraft({ ...draft, max })}
      />
      <Checkbox label="Logarithmic" checked={choice.log} onChange={apply} />
      <button type="submit" className="button">
        Apply
      </button>
    </form>
  )
}

/** Why an axis cannot be drawn so; null when it can. */
export function axisProblem({ min, max, log }: AxisChoice): string | null {
  if ([min, max].some((end) => end !== null && !Number.isFinite(end))) return 'Enter numbers.'
  if (min !== null && max !== null && min >= max) return 'The axis must end above its beginning.'
  if (log && [min, max].some((end) => end !== null && end <= 0)) return 'A logarithmic axis is above 0.'
  return null
}
