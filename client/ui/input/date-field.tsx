import { parseDay } from '../../lib/time/calendar.ts'
import { formatDay } from '../../lib/time/time.ts'
import { type DateProps, TypedDateField } from './typed-date-field.tsx'

/** The value is YYYY-MM-DD; empty for none. */
interface DateFieldProps extends DateProps<string> {
  /** The first and the last day that the calendar offers. */
  min?: string
  max?: string
}

/** A day. */
export function DateField({ value, onChange, min, max, ...field }: DateFieldProps) {
  return (
    <TypedDateField
      {...field}
      value={value || null}
      onChange={(day) => onChange(day ?? '')}
      format={(day) => formatDay(day, 'UTC')}
      parse={parseDay}
      placeholder="DD-MMM-YYYY"
      wrong="Enter a day, as in 01-Jun-2026."
      calendar={{ value, min, max }}
      onDay={onChange}
    />
  )
}
