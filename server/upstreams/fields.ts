// Reading single fields of upstream bodies: a missing or wrong one becomes a plain value, never an exception.

export type Raw = Record<string, unknown>

/** The value as an object; an empty one when it is none. */
export function raw(value: unknown): Raw {
  return typeof value === 'object' && value !== null ? (value as Raw) : {}
}

/** Identifiers are opaque strings; numbers are taken as such. Null when missing. */
export function id(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return value
  return typeof value === 'number' ? String(value) : null
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function count(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? value : 0
}
