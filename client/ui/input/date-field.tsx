import Calendar from 'lucide-react/icons/calendar'
import { type ReactNode, useRef, useState } from 'react'
import { fromInput, parseDay, parseMoment, toInput } from '../../lib/time/calendar.ts'
import { momentWithOffset } from '../../lib/time/offset.ts'
import { formatDay } from '../../lib/time/time.ts'
import { TextField } from './field.tsx'
import { IconButton } from './icon-button.tsx'

interface DateProps<Value> {
  label: string
  value: Value
  onChange: (value: Value) => void
  error?: string | null
  help?: ReactNode
}

interface TypedDateFieldProps<Value> extends DateProps<Value | null> {
  format: (value: Value) => string
  /** Null for an invalid date. */
  parse: (text: string) => Value | null
  placeholder: string
  /** The error for an invalid date. */
  wrong: string
  /** The chosen, first and last day: YYYY-MM-DD, or empty. */
  calendar: { value: string; min?: string | undefined; max?: string | undefined }
  onDay: (day: string) => void
}

/** A date typed in the portal's format, or chosen in the browser's calendar. */
function TypedDateField<Value>(props: TypedDateFieldProps<Value>) {
  const { label, value, onChange, error, help, format, parse, placeholder, wrong, calendar, onDay } = props
  const picker = useRef<HTMLInputElement>(null)
  /** The typed text until it is a valid value. */
  const [typed, setTyped] = useState<string | null>(null)
  const [left, setLeft] = useState(false)
  const isNone = (text: string) => text.trim() === ''
  // A value set elsewhere replaces an invalid text.
  const typing = typed !== null && !(left && value !== null)
  const written = value === null ? '' : format(value)

  function type(next: string) {
    setTyped(next)
    setLeft(false)
    const date = isNone(next) ? null : parse(next)
    if ((date !== null || isNone(next)) && date !== value) onChange(date)
  }

  function leave() {
    setLeft(true)
    if (typed === null) return
    if (isNone(typed) || parse(typed) !== null) setTyped(null)
    // An invalid text must not keep the previous date.
    else if (value !== null) onChange(null)
  }

  return (
    <TextField
      label={label}
      value={typing ? typed : written}
      onChange={type}
      onBlur={leave}
      onKeyDown={({ key }) => key === 'Enter' && leave()}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      error={left && typed !== null && value === null ? wrong : (error ?? null)}
      help={help}
      end={
        <>
          <IconButton
            name={`Calendar for ${label.toLowerCase()}`}
            Icon={Calendar}
            className="quiet field-button"
            onPress={() => picker.current?.showPicker()}
          />
          <input
            ref={picker}
            type="date"
            className="date-picker"
            tabIndex={-1}
            aria-hidden="true"
            {...calendar}
            onChange={(event) => {
              setTyped(null)
              onDay(event.target.value)
            }}
          />
        </>
      }
    />
  )
}

/** The value is YYYY-MM-DD; empty for none. */
interface DateFieldProps extends DateProps<string> {
  min?: string
  max?: string
}

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

/** The value is in milliseconds since 1970; null for none. */
interface DateTimeFieldProps extends DateProps<number | null> {
  zone: string
}

/** A day and time in a zone. The calendar changes only the day. */
export function DateTimeField({ value, onChange, zone, ...field }: DateTimeFieldProps) {
  const [day = '', clock = '00:00'] = value === null ? [] : toInput(value, zone).split('T')
  return (
    <TypedDateField
      {...field}
      value={value}
      onChange={onChange}
      format={(ms) => momentWithOffset(ms, zone)}
      parse={(text) => parseMoment(text, zone)}
      placeholder="DD-MMM-YYYY HH:mm"
      wrong="Enter a day and time, as in 01-Jun-2026 14:05."
      calendar={{ value: day }}
      onDay={(chosen) => onChange(fromInput(`${chosen}T${clock}`, zone))}
    />
  )
}
