// Checks at startup that schemas declare all fields and limit all sizes, and lists their identifier fields.
import { isIdSchema } from '../schemas.ts'

/** The parts of JSON Schema that requests use. */
export interface PlainSchema {
  type?: string
  enum?: unknown[]
  anyOf?: PlainSchema[]
  properties?: Record<string, PlainSchema>
  required?: string[]
  additionalProperties?: unknown
  items?: PlainSchema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  examples?: unknown[]
  default?: unknown
}

/** The first part without a limit, such as `points/items takes any number of items`; null if every part has one. */
export function openPart(schema: PlainSchema, at = ''): string | null {
  const open = (problem: string) => `${at === '' ? 'it' : at} ${problem}`
  const within = (parts: readonly (readonly [string, PlainSchema])[]) => {
    for (const [name, part] of parts) {
      const found = openPart(part, at === '' ? name : `${at}/${name}`)
      if (found !== null) return found
    }
    return null
  }
  if (Array.isArray(schema.enum)) return null
  if (Array.isArray(schema.anyOf))
    return within(schema.anyOf.map((part, index) => [`anyOf/${index}`, part] as const))
  switch (schema.type) {
    case 'object':
      if (schema.additionalProperties !== false) return open('takes undeclared fields')
      return within(Object.entries(schema.properties ?? {}))
    case 'array':
      if (schema.maxItems === undefined) return open('takes any number of items')
      return within([['items', schema.items ?? {}]])
    case 'string':
      return schema.maxLength === undefined ? open('takes text of any length') : null
    case 'integer':
      return schema.minimum === undefined || schema.maximum === undefined ? open('takes any number') : null
    case 'number':
    case 'boolean':
    case 'null':
      return null
    default:
      return open('takes anything')
  }
}

/** All schemas within a schema, with the names of their fields. */
function* partsOf(schema: PlainSchema, name: string): Generator<[field: string, part: PlainSchema]> {
  yield [name, schema]
  for (const [field, part] of Object.entries(schema.properties ?? {})) yield* partsOf(part, field)
  for (const part of [schema.anyOf ?? [], schema.items ?? []].flat()) yield* partsOf(part, name)
}

/** The names of all fields, at any level. */
export function fieldNames(schema: PlainSchema): Set<string> {
  return new Set([...partsOf(schema, '')].flatMap(([, { properties = {} }]) => Object.keys(properties)))
}

/** The names of the fields that hold identifiers, at any level, each once. */
export function idFields(schema: PlainSchema): string[] {
  const found = [...partsOf(schema, '')].filter(([, part]) => isIdSchema(part))
  return [...new Set(found.map(([field]) => field))]
}

/** The lists of a schema with their maximum number of items, such as `create 100`. */
export function listBounds(schema: PlainSchema): string[] {
  const found = [...partsOf(schema, 'items')].filter(([, part]) => part.maxItems !== undefined)
  return [...new Set(found.map(([field, { maxItems }]) => `${field} ${maxItems}`))]
}
