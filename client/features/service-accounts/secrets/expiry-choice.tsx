import { DateField } from '../../../ui/input/date-field.tsx'
import { SelectField } from '../../../ui/input/field.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { dayAfter, dayRefusal, endOfDay, SECRET_PRESETS } from '../../access/secret-expiry.ts'

interface ExpiryChoiceProps {
  /** A day, as a date field has it. */
  day: string
  nowMs: number
  onChange: (day: string) => void
}

const OTHER = 'other'

/** When a secret ends: a preset, or any day to come. */
export function ExpiryChoice({ day, nowMs, onChange }: ExpiryChoiceProps) {
  const preset = SECRET_PRESETS.find((days) => dayAfter(days, nowMs) === day)
  const refusal = dayRefusal(day, nowMs)
  return (
    <div className="expiry-choice">
      <SelectField
        label="Secret expires"
        value={preset === undefined ? OTHER : String(preset)}
        options={[
          ...SECRET_PRESETS.map((days) => ({ value: String(days), label: `In ${days} days` })),
          { value: OTHER, label: 'On another day' }
        ]}
        onChange={(value) => onChange(value === OTHER ? '' : dayAfter(Number(value), nowMs))}
      />
      <DateField
        label="Last day"
        min={dayAfter(0, nowMs)}
        value={day}
        error={refusal}
        help={
          refusal === null && (
            <>
              Ends on <Timestamp iso={endOfDay(day)} as="moment" nowMs={nowMs} />
            </>
          )
        }
        onChange={onChange}
      />
    </div>
  )
}
