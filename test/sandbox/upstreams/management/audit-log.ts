// The audit log of an integrator or of one customer, the newest entries first.
import type { AuditEntry } from '../../api/audit.ts'
import { oneOf, timeField } from '../../api/body.ts'
import { halPage } from '../../api/hal.ts'
import { MANAGEMENT, params, type Upstream } from '../../api/upstream.ts'
import { AUDIT_ACTIONS, auditHistory } from '../../seed/audit-history.ts'
import { organizationOf } from './organizations.ts'

const PAGE_SIZE = 25
const OUTCOMES = ['SUCCESS', 'FAILURE', 'DENIED'] as const

export const auditLog: Upstream = (api, state) => {
  const entriesOf = (organizationId: string): AuditEntry[] => {
    const { id } = organizationOf(state, organizationId)
    return [...auditHistory(state), ...state.audit]
      .filter((entry) => entry.organizationId === id || entry.customerId === id)
      .reverse()
      .sort((a, b) => (a.timestamp < b.timestamp ? 1 : a.timestamp > b.timestamp ? -1 : 0))
  }

  api.get(`${MANAGEMENT}/organizations/:id/auditLogs`, async (request) =>
    halPage(request, {
      rel: 'auditLogs',
      items: entriesOf(params(request).id).filter(readFilter(request.query as Record<string, unknown>)),
      toBody: ({ organizationId: _organizationId, ...fields }) => ({
        ...fields,
        _links: { self: { href: `${MANAGEMENT}/auditLogs/${fields.id}` } }
      }),
      searched: ({ actor, resource, customerName }) => [actor.name, actor.email, resource.name, customerName],
      size: PAGE_SIZE
    })
  )

  api.get(`${MANAGEMENT}/organizations/:id/auditLogs/search/actions`, async (request) => {
    const recordedActions = entriesOf(params(request).id).map((entry) => entry.action)
    return { _embedded: { actions: [...new Set([...AUDIT_ACTIONS, ...recordedActions])].sort() } }
  })
}

function readFilter(query: Record<string, unknown>): (entry: AuditEntry) => boolean {
  const { actorId, resourceType, resourceId, customerId } = query
  const fromMs = query.from === undefined ? Number.NEGATIVE_INFINITY : timeField(query, 'from')
  const toMs = query.to === undefined ? Number.POSITIVE_INFINITY : timeField(query, 'to')
  const actions = query.action === undefined ? null : [query.action].flat()
  const outcome = query.outcome === undefined ? null : oneOf(query, 'outcome', OUTCOMES)
  return (entry) =>
    Date.parse(entry.timestamp) >= fromMs &&
    Date.parse(entry.timestamp) <= toMs &&
    (!actorId || entry.actor.id === actorId) &&
    (!resourceType || entry.resource.type === resourceType) &&
    (!resourceId || entry.resource.id === resourceId) &&
    (!customerId || entry.customerId === customerId) &&
    (!outcome || entry.outcome === outcome) &&
    (!actions || actions.includes(entry.action))
}
