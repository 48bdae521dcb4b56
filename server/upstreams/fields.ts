// Reads single fields of upstream bodies. Returns a default for a missing or wrong field and never throws.
import { ID_MAX_CHARACTERS } from '#shared/scopes.ts'

/** Twenty times the limit of names on screens. */
const NAME_MAX_CHARACTERS = 1_000

export type Raw = Record<string, unknown>

/** The value if it is an object, otherwise an empty object. */
export function raw(value: unknown): Raw {
  return typeof value === 'object' && value !== null ? (value as Raw) : {}
}

/** Identifiers are opaque strings; a number becomes one. Null if missing or too long. */
export function id(value: unknown): string | null {
  if (typeof value === 'string' && value !== '') return value.length <= ID_MAX_CHARACTERS ? value : null
  return typeof value === 'number' ? String(value) : null
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A text of limited length, for fields that are stored in large numbers; empty if it is too long. */
export function name(value: unknown): string {
  return text(value).length <= NAME_MAX_CHARACTERS ? text(value) : ''
}

export function count(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? value : 0
}
