// Writes a JSON Schema of the OpenAPI document as a TypeScript type. Throws for a keyword that it does not know, so that no type
// is wider than its schema by mistake.
import type { Schema } from '../document.ts'

interface AnySchema extends Schema {
  const?: unknown
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
}

/** Keywords that no TypeScript type expresses, and descriptions. */
const WITHOUT_TYPE = new Set(
  'description examples example default format pattern minLength maxLength minimum maximum minItems maxItems deprecated x-portal-claim'.split(
    ' '
  )
)
const WITH_TYPE = new Set(
  '$ref type enum const anyOf items properties required additionalProperties patternProperties'.split(' ')
)
/** Holds the named schemas, because some have the name of a type of TypeScript, such as `Partial`. */
export const NAMESPACE = 'Schemas'
const NAMES: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null'
}

/** @throws for an unknown keyword or type */
export function typeOf(schema: AnySchema): string {
  for (const keyword of Object.keys(schema))
    if (!WITH_TYPE.has(keyword) && !WITHOUT_TYPE.has(keyword))
      throw new Error(`the typed client has no type for the keyword ${keyword}`)
  const { $ref, anyOf, type } = schema
  if ($ref !== undefined) return $ref.replace('#/components/schemas/', `${NAMESPACE}.`)
  if (anyOf !== undefined) return anyOf.map(grouped).join(' | ')
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (type === undefined) return 'unknown'
  return [type]
    .flat()
    .map((name) => ofType(name, schema))
    .join(' | ')
}

function ofType(type: string, schema: AnySchema): string {
  if (type === 'array') return `${grouped(schema.items ?? {})}[]`
  if (type === 'object') return objectType(schema)
  const name = NAMES[type]
  if (name === undefined) throw new Error(`the typed client knows no type ${type}`)
  return name
}

function objectType({
  properties = {},
  required = [],
  additionalProperties,
  patternProperties
}: AnySchema): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    return `${comment(schema.description)}${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`
  })
  const others =
    typeof additionalProperties === 'object'
      ? typeOf(additionalProperties)
      : additionalProperties === true || patternProperties !== undefined
        ? Object.values(patternProperties ?? { any: {} })
            .map(grouped)
            .join(' | ')
        : null
  const known = members.length === 0 ? null : `{\n${members.join('\n')}\n}`
  const open = others === null ? null : `Record<string, ${others}>`
  return [known, open].filter((part) => part !== null).join(' & ') || 'Record<string, unknown>'
}

/** A text as a comment on a line of its own. */
export function comment(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '*\\/').replace(/\s*\n\s*/g, ' ')} */\n`
}

/** A type that may stand before `[]` or between `|`. */
function grouped(schema: AnySchema): string {
  const text = typeOf(schema)
  return text.includes(' ') && !text.startsWith('{') ? `(${text})` : text
}
