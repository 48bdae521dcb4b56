// The audit log of an integrator, or of one customer: found by filters that must all hold, the newest first.
import type { AuditEntry } from '../../api/audit.ts'
import { oneOf, timeField } from '../../api/body.ts'
import { asked, type Condition, filtered } from '../../api/filter.ts'
import { halPage } from '../../api/hal.ts'
import { type Order, Orders } from '../../api/paging.ts'
import { MANAGEMENT, params, type Upstream } from '../../api/upstream.ts'
import { between } from '../../records/by-time.ts'
import type { OrganizationRecord } from '../../records/sites.ts'
import { AUDIT_ACTIONS, auditHistory } from '../../seed/audit-history.ts'
import type { State } from '../../state.ts'
import { organizationOf } from './organizations.ts'

const PAGE_SIZE = 25
const OUTCOMES = ['SUCCESS', 'FAILURE', 'DENIED'] as const
const NEWEST_FIRST: Order = { property: 'timestamp', descending: true }
const timeOf = (entry: AuditEntry): number => Date.parse(entry.timestamp)

export const auditLog: Upstream = (api, state) => {
  const orders = new Orders<AuditEntry>()
  const entriesOf = logsOf(state)

  api.get(`${MANAGEMENT}/organizations/:id/auditLogs`, async (request) => {
    const organization = organizationOf(state, params(request).id)
    const query = request.query as Record<string, unknown>
    const fromMs = query.from === undefined ? Number.NEGATIVE_INFINITY : timeField(query, 'from')
    const toMs = query.to === undefined ? Number.POSITIVE_INFINITY : timeField(query, 'to')
    return halPage(request, {
      rel: 'auditLogs',
      items: filtered(between(entriesOf(organization), timeOf, fromMs, toMs), readFilter(query)),
      toBody: entryBody,
      searched: ({ actor, resource, customerName }) => [actor.name, actor.email, resource.name, customerName],
      sortedBy: (entry) => entry,
      size: PAGE_SIZE,
      order: NEWEST_FIRST,
      comeBy: NEWEST_FIRST,
      orders
    })
  })

  api.get(`${MANAGEMENT}/organizations/:id/auditLogs/search/actions`, async (request) => {
    const organization = organizationOf(state, params(request).id)
    const happened = entriesOf(organization).map((one) => one.action)
    return { _embedded: { actions: [...new Set([...AUDIT_ACTIONS, ...happened])].sort() } }
  })
}

function logsOf(state: State): (at: OrganizationRecord) => readonly AuditEntry[] {
  const logs = new Map<string, AuditEntry[]>()
  let filed = -1
  const logsFor = ({ organizationId, customerId }: AuditEntry): AuditEntry[][] =>
    [organizationId, customerId].flatMap((id) => {
      if (id === null) return []
      const log = logs.get(id) ?? []
      logs.set(id, log)
      return [log]
    })

  return ({ id }) => {
    if (filed < 0) {
      for (const entry of auditHistory(state).toReversed()) for (const log of logsFor(entry)) log.push(entry)
      filed = 0
    }
    for (const entry of state.audit.slice(filed))
      for (const log of logsFor(entry)) {
        // A test's clock may have been set back.
        const older = log.findIndex((other) => timeOf(other) <= timeOf(entry))
        log.splice(older < 0 ? log.length : older, 0, entry)
      }
    filed = state.audit.length
    return logs.get(id) ?? []
  }
}

function readFilter(query: Record<string, unknown>): Condition<AuditEntry>[] {
  const { actorId, resourceType, resourceId, customerId } = query
  const actions = query.action === undefined ? null : [query.action].flat()
  const outcome = query.outcome === undefined ? null : oneOf(query, 'outcome', OUTCOMES)
  return asked<AuditEntry>([
    [actorId, ({ actor }) => actor.id === actorId],
    [resourceType, ({ resource }) => resource.type === resourceType],
    [resourceId, ({ resource }) => resource.id === resourceId],
    [customerId, (entry) => entry.customerId === customerId],
    [outcome, (entry) => entry.outcome === outcome],
    [actions, ({ action }) => actions?.includes(action) === true]
  ])
}

function entryBody({ organizationId: _organizationId, ...shown }: AuditEntry): object {
  return { ...shown, _links: { self: { href: `${MANAGEMENT}/auditLogs/${shown.id}` } } }
}
