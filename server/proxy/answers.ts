// What answers of the upstream APIs have in common (upstream contract, house style). Answers are described for
// openapi.json and never checked: the upstreams decide what they give.
import Type, { type TSchema } from 'typebox'
import { count, Href, named, optional, PageNumbers } from '#shared/answers/parts.ts'
import { RoleAssignment } from '#shared/answers/people.ts'
import type { Answer } from '../types.ts'

type Answers = Readonly<Record<number, Answer>>

/** The totals are there with `count=true`. */
const CountedPage = named('CountedPage', {
  ...PageNumbers.properties,
  totalPages: optional(count()),
  totalElements: optional(count())
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
export const list = (rel: string, item: TSchema, page: TSchema = PageNumbers): Answers =>
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
