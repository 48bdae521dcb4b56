// What answers of the upstream APIs have in common (upstream contract, house style). Answers are described for
// openapi.json and never checked: the upstreams decide what they give.
import Type, { type TProperties, type TSchema } from 'typebox'
import type { Answer } from '../types.ts'

type Answers = Readonly<Record<number, Answer>>

export const text = Type.String()
export const texts = <K extends string>(...names: K[]) =>
  Object.fromEntries(names.map((name) => [name, text])) as Record<K, typeof text>
export const maybeText = Type.Optional(text)
export const nullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] })
export const maybeNullableText = Type.Optional(nullableText)
/** ISO 8601 UTC. */
export const timestamp = Type.String({ format: 'date-time' })
export const maybeTimestamp = Type.Optional(timestamp)
export const count = Type.Integer({ minimum: 0 })
export const maybeCount = Type.Optional(count)
export const maybeNullableCount = Type.Optional(Type.Unsafe<number | null>({ type: ['integer', 'null'] }))
export const anything = Type.Unknown()

/** An object that is a component of the document. */
export const record = <P extends TProperties>($id: string, properties: P, description?: string) =>
  Type.Object(properties, { $id, ...(description === undefined ? {} : { description }) })

export const Href = record('Href', { href: text })
export const UpstreamPage = record(
  'UpstreamPage',
  { number: count, size: count, totalPages: count, totalElements: count },
  'Numbers from 0.'
)
const CountedPage = record(
  'CountedPage',
  { number: count, size: count, totalPages: maybeCount, totalElements: maybeCount },
  'Numbers from 0; the totals are there with `count=true`.'
)
export const RoleAssignment = record('RoleAssignment', {
  ...texts('id', 'roleName'),
  scope: Type.String({ description: 'A scope path.', examples: ['/organizations/1/customers/9'] }),
  _links: Type.Object({ role: Href })
})

/** Answered 200. */
export const ok = (schema: TSchema, description?: string): Answers => ({
  200: described(schema, description)
})
/** Answered 201. */
export const created = (schema: TSchema, description?: string): Answers => ({
  201: described(schema, description)
})
/** A HAL list. An empty one may lack `_embedded`. */
export const list = (rel: string, item: TSchema, page: TSchema = UpstreamPage): Answers =>
  ok(
    Type.Object({
      _embedded: Type.Optional(Type.Object({ [rel]: Type.Array(item) })),
      _links: Type.Optional(Type.Object({ self: Href, next: Type.Optional(Href) })),
      page
    })
  )
/** One whose totals are there on demand. */
export const countedList = (rel: string, item: TSchema) => list(rel, item, CountedPage)
export const changedRoles = ok(
  Type.Object({ roleAssignments: Type.Array(RoleAssignment) }),
  'All assignments after the change.'
)
export const done: Answers = { 204: {} }
/** The file itself, which the gateway fetches from where the API keeps it. */
export const file: Answers = {
  200: {
    description: 'The file, streamed.',
    file: true,
    headers: { 'Content-Disposition': 'Its name.', 'Accept-Ranges': 'Whether it can be resumed.' }
  },
  206: { description: 'The part that `Range` asks for.', file: true }
}

function described(schema: TSchema, description?: string): Answer {
  return description === undefined ? { schema } : { schema, description }
}
