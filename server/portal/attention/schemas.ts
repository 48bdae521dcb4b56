// Query and documentation of the start page's counts.
import { AttentionList } from '#shared/answers/portal.ts'
import { closed, optional, whole } from '../../schemas.ts'
import type { RouteDocs } from '../../types.ts'
import { CUSTOMERS_AREA, IF_NONE_MATCH } from '../descriptions.ts'

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

export const ATTENTION_DOCS: RouteDocs = {
  area: CUSTOMERS_AREA,
  summary: 'Count what needs a person, for each customer of an integrator',
  description:
    'Answers at once with what is known, and has the rest read in the background for a minute after each call: at most 8 calls at a time to each API, on each replica, and fewer while it is busy or slow. What was counted before comes at once, with its age. A customer takes 1 call for its services, 1 for each 1,000 devices, 2 for alarms, 1 for each 1,000 backups of 30 days, and 1 for each data-services plan (of 2,000 at most). Ask again until `partial` is empty.',
  headers: IF_NONE_MATCH,
  answers: {
    200: { headers: { ETag: 'Names exactly these counts in this encoding.' }, schema: AttentionList },
    304: { description: 'The counts at hand are still the same.' }
  }
}
