import { fromInput, parseMoment, toInput } from '../../lib/time/calendar.ts'
import { tellMoment } from '../../lib/time/offset.ts'
import { type DateProps, TypedDateField } from './typed-date-field.tsx'

/** The value is in milliseconds since 1970; null for none. */
interface DateTimeFieldProps extends DateProps<number | null> {
  zone: string
}

/** A day and a time of day in a zone. The calendar changes the day alone. */
export function DateTimeField({ value, onChange, zone, ...field }: DateTimeFieldProps) {
  const [day = '', clock = '00:00'] = value === null ? [] : toInput(value, zone).split('T')
  return (
    <TypedDateField
      {...field}
      value={value}
      onChange={onChange}
      format={(ms) => tellMoment(ms, zone)}
      parse={(text) => parseMoment(text, zone)}
      placeholder="DD-MMM-YYYY HH:mm"
      wrong="Enter a day and time, as in 01-Jun-2026 14:05."
      calendar={{ value: day }}
      onDay={(chosen) => onChange(fromInput(`${chosen}T${clock}`, zone))}
    />
  )
}
