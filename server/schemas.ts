// Parts of request schemas, each closed and bounded. access/bounded.ts refuses other schemas at startup. Answers are not
// checked.
import Type, { type TProperties, type TSchema, type TSchemaOptions } from 'typebox'
import { ID_MAX_CHARACTERS, ID_PATTERN } from '#shared/scopes.ts'

/** An object of exactly these fields. */
export const closed = <P extends TProperties>(properties: P, options: TSchemaOptions = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false })

export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)

export const listOf = <T extends TSchema>(item: T, maxItems: number, options: TSchemaOptions = {}) =>
  Type.Array(item, { ...options, maxItems })

/** Free text with a maximum length. */
export const text = (maxLength: number, description?: string, options: TSchemaOptions = {}) =>
  Type.String({ maxLength, ...(description === undefined ? {} : { description }), ...options })

export const yesNo = (description?: string) => Type.Boolean(description === undefined ? {} : { description })

export const whole = (minimum: number, maximum: number, description?: string) =>
  Type.Integer({ minimum, maximum, ...(description === undefined ? {} : { description }) })

/** Number of a page, up to the largest that upstreams support. */
export const pageNumber = whole(0, 2_147_483_647, 'Number of the page, from 0.')

/** An identifier. */
export const id = (description?: string, example = 'd-7') =>
  text(ID_MAX_CHARACTERS, description, { pattern: ID_PATTERN, examples: [example] })

const ONE_LINE = '^[^\\u0000-\\u001f\\u007f]{1,300}$'

/** An identifier that only its API reads and that is never part of an address: any single line of text. */
export const opaqueId = (description?: string, example = 'c-71') =>
  text(300, description, { pattern: ONE_LINE, examples: [example] })

/** A link to an object of one kind, such as `/projects/3`. */
export const link = (kind: 'projects' | 'organizations', description?: string) =>
  text(ID_MAX_CHARACTERS + kind.length + 2, description, {
    pattern: `^/${kind}/${ID_PATTERN.slice(1)}`,
    examples: [`/${kind}/9`]
  })

/** A link to a role, by its number. */
export const roleLink = text(13, 'A role by its number.', {
  pattern: '^/roles/[0-9]{1,6}$',
  examples: ['/roles/3']
})

/** A moment or a day in ISO 8601. */
export const time = (description = 'ISO 8601, UTC.') =>
  text(40, description, {
    pattern:
      '^\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:Z|[+\\-]\\d{2}:?\\d{2})?)?$',
    examples: ['2025-06-12T12:05:31.120Z']
  })

export const orNull = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

/** Whether a schema describes identifiers, alone or in links. */
export function isIdSchema({ pattern }: { pattern?: unknown }): boolean {
  return typeof pattern === 'string' && (pattern === ONE_LINE || pattern.endsWith(ID_PATTERN.slice(1)))
}

/** Marks a query parameter that names the customer of the call. The parameter is not forwarded. */
export const CLAIM = 'x-portal-claim'
