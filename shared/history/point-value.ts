// The text form of a point's current value, "21.5 {alarm,overridden} @ 8": its value and its status flags.

/** The flags in Niagara's order of priority. */
export const FLAG_ORDER = [
  'disabled',
  'fault',
  'down',
  'alarm',
  'stale',
  'overridden',
  'null',
  'unackedAlarm'
] as const

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

/** The priority at which a point is overridden, as the text names it after the flags; null if it names none. */
export function overrideLevel(out: unknown): string | null {
  return /\}\s*@\s*(\w+)\s*$/.exec(String(out ?? ''))?.[1] ?? null
}

export function parseFlags(status: string): readonly string[] {
  const flags = status
    .split(',')
    .map((flag) => flag.trim())
    .filter((flag) => flag !== '' && flag !== 'ok')
  return [...new Set(flags)].sort((a, b) => flagRank(a) - flagRank(b))
}

/** The most severe flag has the lowest number; unknown flags are the least severe. */
export function flagRank(flag: string): number {
  const at = (FLAG_ORDER as readonly string[]).indexOf(flag)
  return at < 0 ? FLAG_ORDER.length : at
}
