// Sends the known counts of what needs attention, for each customer that the caller may see.
import type { CustomerCard } from '#shared/entities.ts'
import { goneSignal } from '../../upstreams/gone.ts'
import { DOCS } from '../descriptions.ts'
import { encodingFor, isUnchanged, sendAs } from '../encoding.ts'
import { type PortalRoutes, signedIn } from '../request.ts'
import { AttentionQuery, OrganizationParams } from '../schemas.ts'
import { type AttentionAnswer, createAnswer } from './answer.ts'

export const attentionRoutes: PortalRoutes = async (app, { attention, customerLists }) => {
  /** Answers by customer list, so that an answer is freed together with its list. */
  const answers = new WeakMap<readonly CustomerCard[], AttentionAnswer>()

  app.get(
    '/organizations/:organizationId/attention',
    {
      config: {
        id: 'portal.attention',
        access: { action: 'customers:view', scope: 'own-organization' },
        docs: DOCS.attention
      },
      schema: { params: OrganizationParams, querystring: AttentionQuery }
    },
    async (request, reply) => {
      const caller = signedIn(request.caller)
      const { organizationId } = request.params
      const { maxAge = Number.POSITIVE_INFINITY } = request.query
      const cards = await customerLists.of(organizationId, caller, goneSignal(reply))
      const answer = answers.get(cards) ?? createAnswer(cards, caller.user.roleAssignments)
      answers.set(cards, answer)
      await attention.watch(organizationId, caller, answer.customers, maxAge * 1000)

      const encoding = encodingFor(request.headers)
      const { tag, body } = answer.update(attention.readingsFor(caller))
      reply.header('vary', 'accept-encoding')
      if (isUnchanged(request, reply, tag, encoding)) return reply.code(304).send()
      return sendAs(reply, encoding, body)
    }
  )
}
