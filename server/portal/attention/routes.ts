// The counts of what needs attention, for each customer that the caller may see, as far as they are known.
import fresh from 'fresh'
import type { Organization } from '#shared/entities.ts'
import { goneSignal } from '../../upstreams/gone.ts'
import { cardsOf } from '../customers.ts'
import { encodingFor, etagOf, sendAs } from '../encoding.ts'
import { type PortalRoutes, signedIn } from '../request.ts'
import { OrganizationParams } from '../schemas.ts'
import { type AttentionAnswer, createAnswer } from './answer.ts'
import { ATTENTION_DOCS, AttentionQuery } from './schemas.ts'

export const attentionRoutes: PortalRoutes = async (app, { attention, customerLists }) => {
  /** Answers by customer list, so that they are dropped together. */
  const answers = new WeakMap<readonly Organization[], AttentionAnswer>()

  app.get(
    '/organizations/:organizationId/attention',
    {
      config: {
        id: 'portal.attention',
        access: { action: 'customers:view', scope: 'own-organization' },
        docs: ATTENTION_DOCS
      },
      schema: { params: OrganizationParams, querystring: AttentionQuery }
    },
    async (request, reply) => {
      const caller = signedIn(request.caller)
      const { organizationId } = request.params
      const { maxAge } = request.query
      const { roleAssignments } = caller.user
      const customers = await customerLists.of(organizationId, caller, goneSignal(reply))
      const answer =
        answers.get(customers) ??
        createAnswer(cardsOf(customers, organizationId, roleAssignments), roleAssignments)
      answers.set(customers, answer)
      const maxAgeMs = maxAge === undefined ? undefined : maxAge * 1000
      await attention.watch(organizationId, caller, answer.watched, maxAgeMs)

      const encoding = encodingFor(request.headers)
      const etag = etagOf(answer.update(attention.readingsFor(caller)), encoding)
      reply.header('vary', 'accept-encoding').header('etag', etag)
      if (fresh({ 'if-none-match': request.headers['if-none-match'] }, { etag }))
        return reply.code(304).send()
      return sendAs(reply, encoding, answer.body)
    }
  )
}
