// The searches as JSON Schema: requests are checked with these schemas, answers are only described in openapi.json.
import Type from 'typebox'
import { SEARCH_SIZE, SEARCH_SIZE_MAX } from '#shared/limits.ts'
import { MATCHES } from '#shared/text-search.ts'
import { closed, text, whole } from '../../schemas.ts'
import { POINT_SEARCHES } from '../../upstreams/points.ts'
import { DeviceSchema } from '../schemas.ts'

const KEYWORD_MAX_CHARACTERS = 200

const count = Type.Integer({ minimum: 0 })

const size = { ...whole(1, SEARCH_SIZE_MAX, 'How many are told, at most.'), default: SEARCH_SIZE }

export const PointsQuery = closed({
  q: text(
    KEYWORD_MAX_CHARACTERS,
    'Part of the name, of a tag or of the slot path, in any case; after the name, host ID or uuid of a device or its beginning, in that device.',
    {
      minLength: 1
    }
  ),
  size
})

export const SearchQuery = closed({
  q: text(
    KEYWORD_MAX_CHARACTERS,
    "Part of the name, host ID or uuid; white space and case do not count. Each of several words may also be in the project or the name of the customer, one at least is in the device's own. Nothing matches a blank search, nor one with one of `* < > \" ' % ( ) & + / ^ | ? [ ] \\`.",
    { minLength: 1 }
  ),
  size
})

const DeviceFieldsSchema = Type.Omit(DeviceSchema, ['subscriptions'])

const CustomerName = Type.Object(
  {
    id: Type.String(),
    orgName: Type.String(),
    scope: Type.String({ description: "The customer's scope path." })
  },
  { $id: 'CustomerName' }
)

export const DeviceSearchSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        match: Type.Enum([...MATCHES], {
          type: 'string',
          description: 'How much of name, host ID or uuid the keyword is.'
        }),
        device: DeviceFieldsSchema,
        customer: CustomerName
      }),
      { description: 'The best of all that match, the closest first.' }
    ),
    total: Type.Integer({ minimum: 0, description: 'How many match in the customers read.' }),
    customers: Type.Object(
      { read: count, of: count },
      {
        description: 'How many the caller may view, and how many of them were searched.'
      }
    ),
    partial: Type.Array(CustomerName, {
      description: 'Customers that could not be read; empty when all were.'
    })
  },
  { $id: 'DeviceSearch' }
)

const searchType = Type.Enum([...POINT_SEARCHES], { type: 'string' })
const countOrNull = Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0 })

export const FoundPointsSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        foundBy: searchType,
        point: Type.Object(
          { displayName: Type.String(), cloudId: Type.String(), systemGuid: Type.String() },
          { additionalProperties: true, description: 'As the entity model tells it.' }
        ),
        device: DeviceFieldsSchema
      })
    ),
    totals: Type.Object(
      { pointNames: countOrNull, tagValues: countOrNull, tagNames: countOrNull },
      { description: 'How many each search finds; null when it failed.' }
    ),
    partial: Type.Array(searchType, { description: 'The searches that failed; empty when all is there.' })
  },
  { $id: 'FoundPoints' }
)
