// Finds the first mistake of a value that the compiled schema has refused, in linear time and without repeating the value.
import type { TSchema } from 'typebox'
import Schema from 'typebox/schema'
import type { PlainSchema } from './bounded.ts'

export interface Objection {
  /** Names and positions from the root to the mistake. */
  at: string[]
  /** Follows the name: "must be …". */
  says: string
}

/** Limit of one part of an address. */
const NAME_MAX_CHARACTERS = 60
const PARTS_MAX = 8

/** The first mistake; null without one. */
export function objection(schema: PlainSchema, value: unknown, at: string[] = []): Objection | null {
  if (schema.anyOf) return ofChoices(schema.anyOf, value, at)
  if (schema.type === 'object') return ofObject(schema, value, at)
  if (schema.type === 'array') return ofList(schema, value, at)
  return Schema.Check(schema as TSchema, value) ? null : { at, says: `must be ${wanted(schema)}` }
}

/** The address of the mistake, cut where it is long. */
export function addressOf(at: readonly string[]): string {
  const parts = at.slice(0, PARTS_MAX).map((part) => {
    const characters = [...part.slice(0, 2 * NAME_MAX_CHARACTERS)]
    return characters.length > NAME_MAX_CHARACTERS
      ? `${characters.slice(0, NAME_MAX_CHARACTERS).join('')}…`
      : part
  })
  return parts.join('/')
}

function ofChoices(choices: readonly PlainSchema[], value: unknown, at: string[]): Objection | null {
  const found = choices.map((choice) => ({ choice, wrong: objection(choice, value, at) }))
  if (found.some(({ wrong }) => wrong === null)) return null
  const meant = found.find(({ choice }) => choice.type === kindOf(value))
  return meant?.wrong ?? { at, says: `must be ${choices.map(wanted).join(' or ')}` }
}

function ofObject(
  { properties = {}, required = [] }: PlainSchema,
  value: unknown,
  at: string[]
): Objection | null {
  if (kindOf(value) !== 'object') return { at, says: 'must be an object' }
  const fields = value as Record<string, unknown>
  const names = Object.keys(fields)
  const unknown = names.find((name) => !Object.hasOwn(properties, name))
  if (unknown !== undefined) return { at: [...at, unknown], says: 'is not part of this call' }
  const missing = required.find((name) => !Object.hasOwn(fields, name))
  if (missing !== undefined) return { at: [...at, missing], says: 'is needed' }
  for (const name of names) {
    const found = objection(properties[name] as PlainSchema, fields[name], [...at, name])
    if (found) return found
  }
  return null
}

function ofList({ items = {}, minItems = 0, maxItems = 0 }: PlainSchema, value: unknown, at: string[]) {
  if (!Array.isArray(value)) return { at, says: 'must be a list' }
  if (value.length > maxItems) return { at, says: `takes at most ${maxItems} items` }
  if (value.length < minItems) return { at, says: `takes at least ${minItems} items` }
  for (const [index, item] of value.entries()) {
    const found = objection(items, item, [...at, String(index)])
    if (found) return found
  }
  return null
}

function wanted({
  type,
  enum: choices,
  examples,
  minLength = 0,
  maxLength,
  minimum,
  maximum
}: PlainSchema): string {
  if (choices) return `one of ${choices.join(', ')}`
  if (type === 'string' && examples) return `text such as "${examples[0]}"`
  if (type === 'string')
    return `text of ${minLength > 0 ? `${minLength} to` : 'at most'} ${maxLength} characters`
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`
  return (
    { number: 'a number', boolean: 'true or false', null: 'null', array: 'a list' }[type ?? ''] ?? 'an object'
  )
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
