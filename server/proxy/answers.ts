// Parts of the answers of rows. They are described in openapi.json, but not checked at run time, because upstreams may extend
// them.
import Type, { type TSchema } from 'typebox'
import { count, Href, named, optional, PageNumbers } from '#shared/answers/parts.ts'
import { RoleAssignment } from '#shared/answers/people.ts'
import type { Answer } from '../types.ts'

type Answers = Readonly<Record<number, Answer>>

const CountedPage = named('CountedPage', {
  ...PageNumbers.properties,
  totalPages: optional(count()),
  totalElements: optional(count())
})

const answered =
  (status: number) =>
  (schema: TSchema, description?: string): Answers => ({
    [status]: { schema, ...(description === undefined ? {} : { description }) }
  })
export const ok = answered(200)
export const created = answered(201)
/** A HAL list. An empty one may lack `_embedded`. */
export const list = (rel: string, item: TSchema, page: TSchema = PageNumbers): Answers =>
  ok(
    Type.Object({
      _embedded: Type.Optional(Type.Object({ [rel]: Type.Array(item) })),
      _links: Type.Optional(Type.Object({ self: Href, next: Type.Optional(Href) })),
      page
    })
  )
/** A list that counts its items only with `count=true`. */
export const countedList = (rel: string, item: TSchema) => list(rel, item, CountedPage)
export const changedRoles = ok(
  Type.Object({ roleAssignments: Type.Array(RoleAssignment) }),
  'All assignments after the change.'
)
export const done: Answers = { 204: {} }
/** A file, which the gateway fetches from the address that the API gives. */
export const file: Answers = {
  200: {
    description: 'The file, streamed.',
    file: true,
    headers: { 'Content-Disposition': 'Its name.', 'Accept-Ranges': 'Whether it can be resumed.' }
  },
  206: { description: 'The part that `Range` asks for.', file: true }
}
