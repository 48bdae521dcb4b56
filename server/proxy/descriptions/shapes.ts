// Shapes of answers that the upstream APIs have in common (upstream contract, house style). Nothing is checked with them:
// the upstreams decide what they give. What they take is told by the rows of the table.
import Type, { type TSchema } from 'typebox'
import type { Answer } from '../../types.ts'

/** ISO 8601 UTC. */
export const time = Type.String({ format: 'date-time' })
export const text = Type.String()
export const yesNo = Type.Boolean()
export const nullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] })
export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)

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

export const NEW_ASSIGNMENT = { role: '/roles/5', scope: '/organizations/1/customers/9' }

/** Example and answer of `PATCH …/roleAssignments`. */
export const roleChanges: { example: unknown; answers: Record<number, Answer> } = {
  example: {
    create: [NEW_ASSIGNMENT],
    update: [{ id: 'ra-1', ...NEW_ASSIGNMENT }],
    delete: ['ra-2']
  },
  answers: {
    200: {
      description: 'All assignments after the change.',
      schema: Type.Object({ roleAssignments: Type.Array(RoleAssignment) }),
      example: { roleAssignments: [ASSIGNMENT] }
    }
  }
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
