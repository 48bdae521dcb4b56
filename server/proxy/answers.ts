// Answer schemas for the proxy's route table. They document the answers in openapi.json. Answers are not checked against them,
// because upstreams may extend them.
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

const answerWith =
  (status: number) =>
  (schema: TSchema, description?: string): Answers => ({
    [status]: { schema, ...(description === undefined ? {} : { description }) }
  })
export const ok = answerWith(200)
export const created = answerWith(201)
/** A HAL list. An empty list may lack `_embedded`. */
export const list = (rel: string, item: TSchema, page: TSchema = PageNumbers): Answers =>
  ok(
    Type.Object({
      _embedded: Type.Optional(Type.Object({ [rel]: Type.Array(item) })),
      _links: Type.Optional(Type.Object({ self: Href, next: Type.Optional(Href) })),
      page
    })
  )
/** A HAL list whose page contains totals only with `count=true`. */
export const countedList = (rel: string, item: TSchema) => list(rel, item, CountedPage)
export const changedRoles = ok(
  Type.Object({ roleAssignments: Type.Array(RoleAssignment) }),
  'All assignments after the change.'
)
export const done: Answers = { 204: {} }
/** A file, which the gateway fetches from the address in the API's answer. */
export const file: Answers = {
  200: {
    description: 'The file, streamed.',
    file: true,
    headers: {
      'Content-Disposition': 'The name of the file.',
      'Accept-Ranges': 'Whether the download can be resumed.'
    }
  },
  206: { description: 'The part that `Range` requests.', file: true }
}
