// Sends the known counts of what needs attention, for each customer that the caller may see.

import type { CustomerCard } from '#shared/answers/customers.ts'
import { AttentionList } from '#shared/answers/portal.ts'
import { ATTENTION_FIRST_MAX } from '#shared/limits.ts'
import { closed, id, listOf, optional, whole } from '../../schemas.ts'
import { disconnectSignal } from '../../upstreams/disconnect-signal.ts'
import type { LiveLists } from '../alarms/live-lists.ts'
import type { CustomerLists } from '../customer-lists.ts'
import { encodingFor, IF_NONE_MATCH, isUnchanged, sendAs } from '../encoding.ts'
import { OrganizationParams } from '../parameters.ts'
import type { Reader } from '../readings/reader.ts'
import { CUSTOMERS_AREA, type PortalRoutes, signedIn } from '../request.ts'
import { type AttentionAnswer, createAnswer } from './answer.ts'

const MAX_AGE_MIN_SECONDS = 60
const MAX_AGE_MAX_SECONDS = 86_400

const AttentionQuery = closed({
  first: optional(
    listOf(id(undefined, '9'), ATTENTION_FIRST_MAX, {
      description:
        'Ids of customers whose counts are fetched before all others, such as those on a screen. Repeat the parameter to name several. Ids of customers that the caller may not see are ignored. Callers with the same rights share what is fetched: the latest call with this parameter decides.'
    })
  ),
  maxAge: optional(
    whole(
      MAX_AGE_MIN_SECONDS,
      MAX_AGE_MAX_SECONDS,
      'Counts older than this number of seconds are fetched again in the background. By default, services and backups are fetched again after 30 minutes, plans after 60. Alarms are always read again, see `GET /events`.'
    )
  )
})

interface Services {
  reader: Reader
  customerLists: CustomerLists
  liveLists: LiveLists
}

export const attentionRoutes: PortalRoutes<Services> = async (app, { customerLists, liveLists, reader }) => {
  /** Answers by customer list, so that an answer is freed together with its list. */
  const answers = new WeakMap<readonly CustomerCard[], AttentionAnswer>()

  app.get(
    '/organizations/:organizationId/attention',
    {
      config: {
        id: 'portal.attention',
        access: { action: 'customers:view', scope: 'own-organization' },
        docs: {
          area: CUSTOMERS_AREA,
          summary: 'Count what needs attention, for each customer of an integrator',
          description:
            'Answers at once with the counts that are cached, each with the time when it was fetched. For a minute after each call, the gateway fetches missing and old counts in the background: on each replica with at most a quarter of the connections to each API (`UPSTREAM_CONNECTIONS`), fewer while an API is busy or slower than before. A customer takes 1 call for its services, 1 for each 1,000 devices, 1 for each 500 backups of 30 days (2 more if a device has none), and 1 for each data-services plan (2,000 at most). Alarms are read as for `GET /events`. Repeat the call until `partial` is empty.',
          headers: IF_NONE_MATCH,
          answers: {
            200: { headers: { ETag: 'Identifies these counts in this encoding.' }, schema: AttentionList },
            304: { description: 'The counts have not changed.' }
          }
        }
      },
      schema: { params: OrganizationParams, querystring: AttentionQuery }
    },
    async (request, reply) => {
      const caller = signedIn(request.caller)
      const { organizationId } = request.params
      const { first, maxAge = Number.POSITIVE_INFINITY } = request.query
      const cards = await customerLists.of(organizationId, caller, disconnectSignal(reply))
      const answer = answers.get(cards) ?? createAnswer(cards, caller.user.roleAssignments)
      answers.set(cards, answer)
      const { alarmIds } = liveLists(cards, caller.user.roleAssignments)
      const maxAgeMs = maxAge * 1000
      await reader.callForCounts(organizationId, caller, answer.customers, alarmIds, { maxAgeMs, first })

      const encoding = encodingFor(request.headers)
      const { tag, body } = answer.update(reader.readingsFor(caller), (customerId) =>
        reader.alarmsOf(customerId, caller)
      )
      reply.header('vary', 'accept-encoding')
      if (isUnchanged(request, reply, tag, encoding)) return reply.code(304).send()
      return sendAs(reply, encoding, body)
    }
  )
}
