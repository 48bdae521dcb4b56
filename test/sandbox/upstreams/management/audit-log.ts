// The audit log of an integrator, or of one customer: found by filters that must all hold.
import type { AuditEntry } from '../../api/audit.ts'
import { oneOf, timeField } from '../../api/body.ts'
import { halPage } from '../../api/hal.ts'
import { MANAGEMENT, params, type Upstream } from '../../api/upstream.ts'
import type { OrganizationRecord } from '../../records/sites.ts'
import { AUDIT_ACTIONS, auditHistory } from '../../seed/audit-history.ts'
import type { State } from '../../state.ts'
import { organizationOf } from './organizations.ts'

const PAGE_SIZE = 25
const OUTCOMES = ['SUCCESS', 'FAILURE', 'DENIED'] as const

export const auditLog: Upstream = (api, state) => {
  api.get(`${MANAGEMENT}/organizations/:id/auditLogs`, async (request) => {
    const organization = organizationOf(state, params(request).id)
    const matches = readFilter(request.query as Record<string, unknown>)
    return halPage(request, {
      rel: 'auditLogs',
      items: entriesOf(state, organization).filter(matches),
      toBody: entryBody,
      searched: ({ actor, resource, customerName }) => [actor.name, actor.email, resource.name, customerName],
      size: PAGE_SIZE,
      order: { property: 'timestamp', descending: true }
    })
  })

  api.get(`${MANAGEMENT}/organizations/:id/auditLogs/search/actions`, async (request) => {
    const organization = organizationOf(state, params(request).id)
    const happened = entriesOf(state, organization).map((one) => one.action)
    return { _embedded: { actions: [...new Set([...AUDIT_ACTIONS, ...happened])].sort() } }
  })
}

function entriesOf(state: State, { id, partnerId }: OrganizationRecord): AuditEntry[] {
  return [...auditHistory(state), ...state.audit].filter((one) =>
    partnerId === null ? one.organizationId === id : one.customerId === id
  )
}

function readFilter(query: Record<string, unknown>): (entry: AuditEntry) => boolean {
  const fromMs = query.from === undefined ? Number.NEGATIVE_INFINITY : timeField(query, 'from')
  const toMs = query.to === undefined ? Number.POSITIVE_INFINITY : timeField(query, 'to')
  const { actorId, resourceType, resourceId, customerId } = query
  const actions = query.action === undefined ? null : [query.action].flat()
  const outcome = query.outcome === undefined ? null : oneOf(query, 'outcome', OUTCOMES)
  const same = (wanted: unknown, value: string | null): boolean => wanted === undefined || wanted === value
  return (entry) =>
    Date.parse(entry.timestamp) >= fromMs &&
    Date.parse(entry.timestamp) <= toMs &&
    same(actorId, entry.actor.id) &&
    same(resourceType, entry.resource.type) &&
    same(resourceId, entry.resource.id) &&
    same(customerId, entry.customerId) &&
    (outcome === null || entry.outcome === outcome) &&
    (actions === null || actions.includes(entry.action))
}

function entryBody({ organizationId: _organizationId, ...shown }: AuditEntry): object {
  return { ...shown, _links: { self: { href: `${MANAGEMENT}/auditLogs/${shown.id}` } } }
}
