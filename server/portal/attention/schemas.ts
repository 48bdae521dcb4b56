// The start page's counts as JSON Schema, and what openapi.json says of them.
import Type from 'typebox'
import { closed, optional, whole } from '../../schemas.ts'
import type { RouteDocs } from '../../types.ts'
import { CUSTOMERS_AREA, IF_NONE_MATCH } from '../descriptions.ts'
import { CustomerCardSchema } from '../schemas.ts'

const MAX_AGE_MIN_SECONDS = 60
const MAX_AGE_MAX_SECONDS = 86_400

export const AttentionQuery = closed({
  maxAge: optional(
    whole(
      MAX_AGE_MIN_SECONDS,
      MAX_AGE_MAX_SECONDS,
      'Counts older than so many seconds are read again, in the background; without it alarms after 10 minutes, services and backups after 30, plans after 60.'
    )
  )
})

const count = Type.Integer({ minimum: 0 })

const AttentionCountSchema = Type.Unsafe({
  anyOf: [
    Type.Object({
      count,
      readAt: Type.String({
        format: 'date-time',
        description: 'When it was read; of several readings the oldest.'
      }),
      unread: Type.Optional(
        Type.Integer({ minimum: 1, description: 'Plans that are yet to be read: the count may grow.' })
      )
    }),
    { type: 'null' }
  ]
})

const KindsSchema = (description: string) => Type.Array(Type.String(), { description })
const counted = (description: string) => Type.Optional({ ...AttentionCountSchema, description })

export const AttentionSchema = Type.Object(
  {
    items: Type.Array(
      Type.Object({
        ...CustomerCardSchema.properties,
        counts: Type.Object(
          {
            servicesEnded: counted('Devices of which a service has ended and has no later subscription.'),
            plansExceeded: counted('Devices with data usage above the plan limit.'),
            alarms: counted('Alarms that are not back to normal, or not acknowledged.'),
            servicesEnding: counted('Devices with a service that ends within 30 days.'),
            plansWarning: counted('Devices with data usage from 80 % of the plan limit on.'),
            withoutBackup: counted('Devices with Recover without a good backup in 30 days.')
          },
          {
            description: 'One that the caller may not see is absent, one that has not been read yet is null.'
          }
        ),
        partial: KindsSchema('Counts that could not be read when it was last tried.')
      }),
      { description: 'By name.' }
    ),
    partial: KindsSchema('Counts that are not complete for every customer; empty when all are there.')
  },
  { $id: 'Attention' }
)

export const ATTENTION_DOCS: RouteDocs = {
  area: CUSTOMERS_AREA,
  summary: 'Count what needs a person, for each customer of an integrator',
  description:
    'Answers at once with what is known, and has the rest read in the background for a minute after each call: at most 8 calls at a time to each API, on each replica, and fewer while it is busy or slow. What was counted before comes at once, with its age. A customer takes 1 call for its services, 1 for each 1,000 devices, 2 for alarms, 1 for each 1,000 backups of 30 days, and 1 for each data-services plan (of 2,000 at most). Ask again until `partial` is empty.',
  headers: IF_NONE_MATCH,
  answers: {
    200: { headers: { ETag: 'Names exactly these counts in this encoding.' }, schema: AttentionSchema },
    304: { description: 'The counts at hand are still the same.' }
  }
}
