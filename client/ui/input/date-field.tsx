import Calendar from 'lucide-react/icons/calendar'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
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
  /** Returns null for an invalid date. */
  parse: (text: string) => Value | null
  placeholder: string
  /** The error for an invalid date. */
  invalidText: string
  /** The chosen, first and last day: YYYY-MM-DD, or empty. */
  calendar: { value: string; min?: string | undefined; max?: string | undefined }
  onDay: (day: string) => void
}

/** A date typed in the portal's format, or chosen in the browser's calendar. */
function TypedDateField<Value>(props: TypedDateFieldProps<Value>) {
  const { label, value, onChange, error, help, format, parse, placeholder, invalidText, calendar, onDay } =
    props
  const picker = useRef<HTMLInputElement>(null)
  /** The typed text, until the person leaves the field with a valid value; else null. */
  const [typedText, setTypedText] = useState<string | null>(null)
  const [hasLeft, setHasLeft] = useState(false)
  const isNone = (text: string) => text.trim() === ''
  // A value set elsewhere replaces an invalid text.
  const showsTypedText = typedText !== null && !(hasLeft && value !== null)
  const isInvalid = showsTypedText && !isNone(typedText) && parse(typedText) === null
  const valueText = value === null ? '' : format(value)

  function type(newText: string) {
    setTypedText(newText)
    setHasLeft(false)
    const date = isNone(newText) ? null : parse(newText)
    if ((date !== null || isNone(newText)) && date !== value) onChange(date)
  }

  function leave() {
    setHasLeft(true)
    if (!showsTypedText) return
    if (!isInvalid) setTypedText(null)
    // With an invalid text, the previous date must not stay in effect.
    else if (value !== null) onChange(null)
  }

  function enter(event: KeyboardEvent) {
    if (event.key !== 'Enter') return
    leave()
    if (!isInvalid) return
    // The form or dialog around the field would send the previous date.
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <TextField
      label={label}
      value={showsTypedText ? typedText : valueText}
      onChange={type}
      onBlur={leave}
      onKeyDown={enter}
      placeholder={placeholder}
      autoComplete="off"
      spellCheck={false}
      error={hasLeft && typedText !== null && value === null ? invalidText : (error ?? null)}
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
              setTypedText(null)
              onDay(event.target.value)
            }}
          />
        </>
      }
    />
  )
}

/** The value is YYYY-MM-DD, or empty for no date. */
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
      invalidText="Enter a day, as in 01-Jun-2026."
      calendar={{ value, min, max }}
      onDay={onChange}
    />
  )
}

/** The value is in milliseconds since 1970, or null for no time. */
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
      invalidText="Enter a day and time, as in 01-Jun-2026 14:05."
      calendar={{ value: day }}
      onDay={(newDay) => onChange(fromInput(`${newDay}T${clock}`, zone))}
    />
  )
}
