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

/** Describes the first part without a limit, such as `points/items takes any number of items`; null if all have limits. */
export function openPart(schema: PlainSchema, at = ''): string | null {
  const issue = (problem: string) => `${at === '' ? 'it' : at} ${problem}`
  const firstOpenPart = (parts: readonly (readonly [string, PlainSchema])[]) => {
    for (const [name, part] of parts) {
      const problem = openPart(part, at === '' ? name : `${at}/${name}`)
      if (problem !== null) return problem
    }
    return null
  }
  if (Array.isArray(schema.enum)) return null
  if (Array.isArray(schema.anyOf))
    return firstOpenPart(schema.anyOf.map((part, index) => [`anyOf/${index}`, part] as const))
  switch (schema.type) {
    case 'object':
      if (schema.additionalProperties !== false) return issue('takes undeclared fields')
      return firstOpenPart(Object.entries(schema.properties ?? {}))
    case 'array':
      if (schema.maxItems === undefined) return issue('takes any number of items')
      return firstOpenPart([['items', schema.items ?? {}]])
    case 'string':
      return schema.maxLength === undefined ? issue('takes text of any length') : null
    case 'integer':
      return schema.minimum === undefined || schema.maximum === undefined ? issue('takes any number') : null
    case 'number':
    case 'boolean':
    case 'null':
      return null
    default:
      return issue('takes anything')
  }
}

/** Yields a schema and all schemas within it, each with the name of its field. */
function* partsOf(schema: PlainSchema, name: string): Generator<[field: string, part: PlainSchema]> {
  yield [name, schema]
  for (const [field, part] of Object.entries(schema.properties ?? {})) yield* partsOf(part, field)
  for (const alternative of schema.anyOf ?? []) yield* partsOf(alternative, name)
  if (schema.items) yield* partsOf(schema.items, name)
}

/** The names of all fields, at any level. */
export function fieldNames(schema: PlainSchema): Set<string> {
  return new Set([...partsOf(schema, '')].flatMap(([, { properties = {} }]) => Object.keys(properties)))
}

/** The names of the fields that hold identifiers, at any level, each once. */
export function idFields(schema: PlainSchema): string[] {
  const idParts = [...partsOf(schema, '')].filter(([, part]) => isIdSchema(part))
  return [...new Set(idParts.map(([field]) => field))]
}

/** The lists of a schema with their maximum number of items, such as `create 100`. */
export function listBounds(schema: PlainSchema): string[] {
  const lists = [...partsOf(schema, 'items')].filter(([, part]) => part.maxItems !== undefined)
  return [...new Set(lists.map(([field, { maxItems }]) => `${field} ${maxItems}`))]
}
