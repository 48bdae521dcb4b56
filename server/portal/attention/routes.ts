// What needs a person, for each customer of an organization that the caller may see: what is known of it, at once.
import { hash } from 'node:crypto'
import fresh from 'fresh'
import { ATTENTION, ATTENTION_KINDS, type AttentionList } from '#shared/attention.ts'
import type { CustomerCard } from '#shared/entities.ts'
import { type Assignment, holdingAt, may } from '#shared/permissions.ts'
import type { Caller } from '../../types.ts'
import { goneSignal } from '../../upstreams/gone.ts'
import { cardsOf } from '../customers.ts'
import { encodingFor, etagOf, sendAs } from '../encoding.ts'
import { type PortalRoutes, signedIn } from '../request.ts'
import { OrganizationParams } from '../schemas.ts'
import type { Attention } from './keeper.ts'
import { countsOf, type Watched } from './readings.ts'
import { ATTENTION_DOCS, AttentionQuery } from './schemas.ts'

export const attentionRoutes: PortalRoutes = async (app, options) => {
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
      const customers = await options.customerLists.of(organizationId, caller, goneSignal(reply))
      const cards = cardsOf(customers, organizationId, roleAssignments)
      const watched = watchedOf(cards, roleAssignments)
      options.attention.watch(
        organizationId,
        caller,
        watched,
        maxAge === undefined ? undefined : maxAge * 1000
      )
      const body = Buffer.from(JSON.stringify(listOf(cards, watched, options.attention, caller)))

      const encoding = encodingFor(request.headers)
      const etag = etagOf(hash('sha256', body, 'base64url'), encoding)
      reply.header('vary', 'accept-encoding').header('etag', etag)
      if (fresh({ 'if-none-match': request.headers['if-none-match'] }, { etag }))
        return reply.code(304).send()
      return sendAs(reply, encoding, body)
    }
  )
}

/** Each with the counts that the caller may see there (§6). */
function watchedOf(cards: readonly CustomerCard[], assignments: readonly Assignment[]): Watched[] {
  const heldAt = holdingAt(assignments)
  return cards.map(({ id, scope }) => {
    const held = heldAt(scope)
    return { customerId: id, kinds: ATTENTION_KINDS.filter((kind) => may(held, ATTENTION[kind], scope)) }
  })
}

function listOf(
  cards: readonly CustomerCard[],
  watched: readonly Watched[],
  attention: Attention,
  caller: Caller
): AttentionList {
  const readingsOf = attention.readingsFor(caller)
  const items = cards.map((card, at) => ({
    ...card,
    ...countsOf(readingsOf(card.id), watched[at]?.kinds ?? [])
  }))
  const isPartial = (kind: (typeof ATTENTION_KINDS)[number]) =>
    items.some(({ counts, partial }) => {
      const count = counts[kind]
      return partial.includes(kind) || count === null || count?.unread !== undefined
    })
  return { items, partial: ATTENTION_KINDS.filter(isPartial) }
}
