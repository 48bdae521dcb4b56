// Shapes that the upstream APIs have in common (upstream contract, house style), for their descriptions. Nothing is
// checked with them: the upstreams decide what they take and give.
import Type, { type TSchema } from 'typebox'
import type { Answer, Media } from '../../types.ts'

/** ISO 8601 UTC. */
export const time = Type.String({ format: 'date-time' })
export const text = Type.String()
export const yesNo = Type.Boolean()
export const nullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] })
export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)

/** A link such as `/projects/3`. */
export const link = (kind: string) =>
  Type.String({ description: `\`/${kind}/{id}\``, pattern: `^/${kind}/[^/]+$` })

export const Href = Type.Object({ href: text }, { $id: 'Href' })

const whole = Type.Integer({ minimum: 0 })
export const UpstreamPage = Type.Object(
  { number: whole, size: whole, totalPages: whole, totalElements: whole },
  { $id: 'UpstreamPage', description: 'Numbers from 0.' }
)
export const CountedPage = Type.Object(
  { number: whole, size: whole, totalPages: Type.Optional(whole), totalElements: Type.Optional(whole) },
  { $id: 'CountedPage', description: 'Numbers from 0; the totals are there with `count=true`.' }
)

export const RoleAssignment = Type.Object(
  {
    id: text,
    scope: Type.String({ description: 'A scope path.' }),
    roleName: text,
    _links: Type.Object({ role: Href })
  },
  { $id: 'RoleAssignment' }
)
export const ASSIGNMENT = {
  id: 'ra-1',
  scope: '/organizations/1/customers/9',
  roleName: 'customer_admin',
  _links: { role: { href: '/roles/4' } }
}

export const NewRoleAssignment = Type.Object(
  { role: link('roles'), scope: Type.String({ description: 'A scope path.' }) },
  { $id: 'NewRoleAssignment' }
)
export const NEW_ASSIGNMENT = { role: '/roles/5', scope: '/organizations/1/customers/9' }

const RoleChanges = Type.Object(
  {
    create: optional(Type.Array(NewRoleAssignment)),
    update: optional(Type.Array(Type.Object({ id: text, ...NewRoleAssignment.properties }))),
    delete: optional(Type.Array(Type.String({ description: 'Id of an assignment.' })))
  },
  { $id: 'RoleChanges' }
)

/** Body and answer of `PATCH …/roleAssignments`. */
export const roleChanges: { body: Media; answers: Record<number, Answer> } = {
  body: {
    schema: RoleChanges,
    example: {
      create: [NEW_ASSIGNMENT],
      update: [{ id: 'ra-1', ...NEW_ASSIGNMENT }],
      delete: ['ra-2']
    }
  },
  answers: {
    200: {
      description: 'All assignments after the change.',
      schema: Type.Object({ roleAssignments: Type.Array(RoleAssignment) }),
      example: { roleAssignments: [ASSIGNMENT] }
    }
  }
}

const number = {
  page: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of the page, from 0.' }))
}
const size = { size: Type.Optional(Type.Integer({ minimum: 1, description: 'Items of a page.' })) }

/** Query of a HAL list. */
export const PAGED = {
  ...number,
  ...size,
  sort: Type.Optional(
    Type.String({ description: 'Property and direction.', examples: ['fullName,asc', 'createdDate,desc'] })
  )
}
export const SEARCHED = {
  ...PAGED,
  keyword: Type.Optional(Type.String({ description: 'Text to look for.' }))
}
/** Query of the calls that count and sort in the way of the entity model. */
export const COUNTED = {
  ...number,
  ...size,
  count: Type.Optional(Type.Boolean({ description: 'Whether the totals are counted.' })),
  sortBy: Type.Optional(Type.String({ description: 'Property to sort by.' })),
  sortDir: Type.Optional(
    Type.Enum(['asc', 'desc'], { type: 'string', description: 'Ascending or descending.' })
  )
}

/** The answer of a HAL list. An empty one may lack `_embedded`. */
export function halList(
  description: string,
  rel: string,
  item: TSchema,
  example: unknown,
  page: TSchema = UpstreamPage
): Answer {
  return {
    description,
    schema: Type.Object({
      _embedded: Type.Optional(Type.Object({ [rel]: Type.Array(item) })),
      _links: Type.Optional(Type.Object({ self: Href, next: Type.Optional(Href) })),
      page
    }),
    example: {
      _embedded: { [rel]: [example] },
      page: { number: 0, size: 20, totalPages: 1, totalElements: 1 }
    }
  }
}

/** An answer with a body. */
export function json(description: string, schema: TSchema, example: unknown): Answer {
  return { description, schema, example }
}

export const DONE = { 204: { description: 'Done.' } } as const
/** The file itself, which the gateway fetches from where the API keeps it. */
export const FILE = {
  200: {
    description: 'The file, streamed.',
    headers: { 'Content-Disposition': 'Its name.', 'Accept-Ranges': 'Whether it can be resumed.' }
  },
  206: { description: 'The part that `Range` asks for.' }
} as const
