import './choice-list.css'
import './forms.css'
import { type ReactNode, useId } from 'react'

export interface ListedChoice<Value extends string> {
  value: Value
  label: string
  help?: ReactNode
  /** Why the choice is disabled. A disabled choice stays focusable. */
  disabledReason?: string | null
  /** Content below the choice while the choice is selected. */
  more?: ReactNode
}

interface ChoiceListProps<Value extends string> {
  legend: string
  choices: readonly ListedChoice<Value>[]
  chosen: Value | null
  onChoose: (value: Value) => void
  error?: string | null
}

export function ChoiceList<Value extends string>(props: ChoiceListProps<Value>) {
  const { legend, choices, chosen, onChoose, error } = props
  const id = useId()
  return (
    <fieldset className="stack tight choice-list" aria-describedby={error ? `${id}-error` : undefined}>
      <legend>{legend}</legend>
      {choices.map(({ value, label, help, disabledReason, more }) => (
        <div key={value} className="choice">
          <input
            type="radio"
            id={`${id}-${value}`}
            name={id}
            checked={value === chosen}
            aria-disabled={disabledReason ? true : undefined}
            aria-describedby={help || disabledReason ? `${id}-${value}-help` : undefined}
            onChange={() => !disabledReason && onChoose(value)}
          />
          <label htmlFor={`${id}-${value}`}>{label}</label>
          {(help || disabledReason) && (
            <p id={`${id}-${value}-help`} className="hint">
              {disabledReason ?? help}
            </p>
          )}
          {value === chosen && more && <div className="lines choice-more">{more}</div>}
        </div>
      ))}
      <p id={`${id}-error`} className="field-error" role="status">
        {error}
      </p>
    </fieldset>
  )
}
