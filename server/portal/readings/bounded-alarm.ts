// Bounds the alarms that are kept of each customer, so that a hostile API fills neither the memory nor the answers of others.
import { excerpt, id, type Raw, raw, time } from '../../upstreams/fields.ts'

const IDS = ['uuid', 'deviceId', 'systemGuid']
const TIMES = ['timestamp', 'lastUpdate']
const TIMES_OR_NULL = ['normalTime', 'ackTime']
const TEXTS = [
  'sourceName',
  'alarmClass',
  'messageText',
  'alarmTransition',
  'sourceState',
  'ackState',
  'user'
]
const PLAIN = [...IDS, ...TIMES, ...TIMES_OR_NULL, ...TEXTS, 'priority', 'ackRequired']

/** Twenty times the size of most alarms, as JSON. */
const RECORD_MAX_CHARACTERS = 10_000

/**
 * The alarm with shortened texts, and with ISO times only. One that is still too large keeps the fields that screens list, and
 * the newest notes that fit.
 */
export function boundedAlarm(record: Raw): Raw {
  const alarm = Object.fromEntries(Object.entries(record).map(([name, value]) => [name, field(name, value)]))
  if (sizeOf(alarm) <= RECORD_MAX_CHARACTERS) return alarm
  const small: Raw = {}
  for (const name of PLAIN) {
    const value = alarm[name]
    if (value !== undefined && (value === null || typeof value !== 'object')) small[name] = value
  }
  return { ...small, notes: newestNotes(alarm.notes, RECORD_MAX_CHARACTERS - sizeOf(small)) }
}

function field(name: string, value: unknown): unknown {
  if (IDS.includes(name)) return id(value) ?? ''
  if (TIMES.includes(name)) return time(value)
  if (TIMES_OR_NULL.includes(name)) return time(value) || null
  if (name === 'notes') return Array.isArray(value) ? value.map(note) : []
  return withShortTexts(value)
}

function note(value: unknown): Raw {
  const { text, user, time: writtenAt } = raw(value)
  return { text: excerpt(text), user: excerpt(user), time: time(writtenAt) }
}

function withShortTexts(value: unknown): unknown {
  if (typeof value === 'string') return excerpt(value)
  if (Array.isArray(value)) return value.map(withShortTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withShortTexts(part)]))
}

function newestNotes(notes: unknown, characters: number): unknown[] {
  const fitting: unknown[] = []
  let left = characters
  for (const note of Array.isArray(notes) ? notes.toReversed() : []) {
    left -= sizeOf(note)
    if (left < 0) break
    fitting.unshift(note)
  }
  return fitting
}

const sizeOf = (value: unknown) => JSON.stringify(value).length
