// Reads single fields of upstream bodies. The functions return a default for a missing or wrong field, and never throw.
import { ID_MAX_CHARACTERS } from '#shared/scopes.ts'

/** Twenty times the longest name that the screens allow. */
const NAME_MAX_CHARACTERS = 1_000

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

export function count(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? value : 0
}
