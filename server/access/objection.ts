// Describes a mistake in a value that a schema has refused, without repeating the value.
import type { TLocalizedValidationError } from 'typebox/error'
import type { PlainSchema } from './bounded.ts'

export interface Objection {
  /** Names and positions from the root to the mistake. */
  at: string[]
  /** The mistake, to follow the name in a sentence: "must be …". */
  says: string
}

/** Maximum length and number of the parts of an address in a message. */
const NAME_MAX_CHARACTERS = 60
const PARTS_MAX = 8

/** Describes the deepest error, because the caller most likely meant the alternative that matches most. */
export function objection(schema: PlainSchema, errors: readonly TLocalizedValidationError[]): Objection {
  const depth = ({ instancePath }: TLocalizedValidationError) => partsOf(instancePath).length
  const [error] = errors.toSorted((a, b) => depth(b) - depth(a))
  if (error === undefined) return { at: [], says: 'is not as described' }
  const at = partsOf(error.instancePath)
  switch (error.keyword) {
    // Undeclared fields have the schema `false`.
    case 'boolean':
      return { at, says: 'is not part of this call' }
    case 'required':
      return { at: [...at, ...error.params.requiredProperties.slice(0, 1)], says: 'is needed' }
    case 'maxItems':
      return { at, says: `takes at most ${error.params.limit} items` }
    case 'minItems':
      return { at, says: `takes at least ${error.params.limit} items` }
    default:
      return { at, says: `must be ${expectationOf(partAt(schema, error.schemaPath))}` }
  }
}

/** The names in a JSON pointer (RFC 6901, section 4). */
function partsOf(pointer: string): string[] {
  const parts = pointer.split('/').slice(1)
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function partAt(schema: PlainSchema, pointer: string): PlainSchema {
  return partsOf(pointer).reduce<object>((part, name) => part[name as keyof typeof part], schema)
}

/** The address of a mistake, shortened if it is long. */
export function addressOf(at: readonly string[]): string {
  const parts = at.slice(0, PARTS_MAX).map((part) => {
    const characters = [...part.slice(0, 2 * NAME_MAX_CHARACTERS)]
    return characters.length > NAME_MAX_CHARACTERS
      ? `${characters.slice(0, NAME_MAX_CHARACTERS).join('')}…`
      : part
  })
  return parts.join('/')
}

function expectationOf({ type, enum: choices, examples, ...limits }: PlainSchema): string {
  const { minLength = 0, maxLength, minimum, maximum } = limits
  if (choices) return `one of ${choices.join(', ')}`
  if (type === 'string' && examples) return `text such as "${examples[0]}"`
  if (type === 'string')
    return `text of ${minLength > 0 ? `${minLength} to` : 'at most'} ${maxLength} characters`
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`
  const typeTexts = { number: 'a number', boolean: 'true or false', null: 'null', array: 'a list' }
  return typeTexts[type as keyof typeof typeTexts] ?? 'an object'
}
