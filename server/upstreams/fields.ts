// Reads single fields of upstream bodies. The functions return a default for a missing or wrong field, and never throw.
import { ID_MAX_CHARACTERS } from '#shared/scopes.ts'

/** Twenty times the longest name that the screens allow. */
export const NAME_MAX_CHARACTERS = 1_000

export type Raw = Record<string, unknown>

/** The value if it is an object, otherwise an empty object. */
export function raw(value: unknown): Raw {
  return typeof value === 'object' && value !== null ? (value as Raw) : {}
}

/** Reads an identifier, an opaque string. Converts a number to a string. Null if it is missing or too long. */
export function id(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return value.length <= ID_MAX_CHARACTERS ? value : null
  return typeof value === 'number' ? String(value) : null
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Reads a text of limited length, for fields that are stored many times. Empty if it is too long. */
export function name(value: unknown): string {
  return text(value).length <= NAME_MAX_CHARACTERS ? text(value) : ''
}

/** Reads a text that people read, of limited length. Shortens one that is longer. */
export function excerpt(value: unknown): string {
  const whole = text(value)
  return whole.length <= NAME_MAX_CHARACTERS ? whole : `${whole.slice(0, NAME_MAX_CHARACTERS - 1)}…`
}

/** A day, or a moment with at most nanoseconds. */
const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** Reads an ISO 8601 time as the upstream wrote it. Empty for anything else. */
export function time(value: unknown): string {
  const written = text(value)
  return ISO_TIME.test(written) && !Number.isNaN(Date.parse(written)) ? written : ''
}

/** Reads a whole number from 0. An answer with an infinite one would fail. */
export function count(value: unknown): number {
  return Number.isSafeInteger(value) ? Math.max(0, value as number) : 0
}
