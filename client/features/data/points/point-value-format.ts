// The text form of a point's current value, "21.5 {alarm,overridden} @ 8": its value and its status flags.

/** The flags in Niagara's order of priority, with name and tone. */
export const STATUS_FLAGS = [
  { flag: 'disabled', name: 'Disabled', tone: 'plain' },
  { flag: 'fault', name: 'Fault', tone: 'danger' },
  { flag: 'down', name: 'Down', tone: 'danger' },
  { flag: 'alarm', name: 'Alarm', tone: 'danger' },
  { flag: 'stale', name: 'Stale', tone: 'warn' },
  { flag: 'overridden', name: 'Overridden', tone: 'info' },
  { flag: 'null', name: 'Null', tone: 'plain' },
  { flag: 'unackedAlarm', name: 'Unacknowledged alarm', tone: 'warn' }
] as const

type StatusTone = (typeof STATUS_FLAGS)[number]['tone'] | 'ok'

export interface PointValue {
  value: string
  /** In Niagara's order, unknown flags last; empty if the status is ok, null if the text has no flags. */
  flags: readonly string[] | null
}

const WITH_STATUS = /^(.*?)\s*\{([^{}]*)\}(?:\s*@\s*\w+)?\s*$/s

/** Splits the text into a value and flags. A text without flags is only a value. */
export function parsePointValue(out: unknown): PointValue {
  const text = out === null || out === undefined ? '' : String(out)
  const [, value, status] = WITH_STATUS.exec(text) ?? []
  if (value === undefined || status === undefined) return { value: text.trim(), flags: null }
  return { value: value.trim(), flags: parseFlags(status) }
}

export function parseFlags(status: string): readonly string[] {
  const flags = status
    .split(',')
    .map((flag) => flag.trim())
    .filter((flag) => flag !== '' && flag !== 'ok')
  return [...new Set(flags)].sort((a, b) => rank(a) - rank(b))
}

function rank(flag: string): number {
  const at = STATUS_FLAGS.findIndex((entry) => entry.flag === flag)
  return at < 0 ? STATUS_FLAGS.length : at
}

export function statusName(flag: string): { name: string; tone: StatusTone } {
  return STATUS_FLAGS.find((entry) => entry.flag === flag) ?? { name: flag, tone: 'plain' }
}
