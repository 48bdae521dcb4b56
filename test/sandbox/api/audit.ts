// Writes an entry of the audit log for each change that an API made.
import type { FastifyRequest } from 'fastify'
import type { UserRecord } from '../records/people.ts'
import type { DeviceRecord } from '../records/sites.ts'
import { now, type State } from '../state.ts'
import { callerOf } from './bearer.ts'

export interface AuditChange {
  field: string
  before: string | null
  after: string | null
}

export interface AuditEntry {
  id: string
  timestamp: string
  actor: {
    id: string
    type: 'USER' | 'SERVICE_ACCOUNT' | 'SYSTEM' | 'SUPPORT'
    name: string
    email: string | null
  }
  action: string
  outcome: 'SUCCESS' | 'FAILURE' | 'DENIED'
  resource: { type: string; id: string; name: string }
  device: { id: string; deviceUuid: string; name: string } | null
  organizationId: string | null
  customerId: string | null
  customerName: string | null
  changes: AuditChange[]
  ipAddress: string
  userAgent: string | null
  correlationId: string
}

export interface AuditedChange {
  action: string
  resource: AuditEntry['resource']
  organizationId: string | null
  device?: DeviceRecord
  changes?: AuditChange[]
}

interface Origin {
  ip: string
  userAgent: string | undefined
  id: string
}

export function audit(state: State, request: FastifyRequest, change: AuditedChange): void {
  const { ip, id } = request
  append(state, callerOf(request), { ip, id, userAgent: request.headers['user-agent'] }, change)
}

export function auditSession(state: State, user: UserRecord, action: 'LOGIN' | 'LOGOUT', from: Origin): void {
  const resource = { type: 'USER', id: user.id, name: user.fullName }
  append(state, user, from, { action, resource, organizationId: user.organizationId })
}

export function deviceIn({ id, deviceUuid, deviceName }: DeviceRecord): AuditEntry['device'] {
  return { id, deviceUuid, name: deviceName }
}

export function placeOf(state: State, organizationId: string | null) {
  const at = organizationId === null ? undefined : state.organizations.get(organizationId)
  return {
    organizationId: at?.partnerId ?? at?.id ?? null,
    customerId: at?.partnerId ? at.id : null,
    customerName: at?.partnerId ? at.orgName : null
  }
}

function append(state: State, by: UserRecord, from: Origin, change: AuditedChange): void {
  state.audit.push({
    id: state.nextId('al'),
    timestamp: now(state),
    actor: {
      id: by.id,
      type: by.username === 'internal-service' ? 'SERVICE_ACCOUNT' : 'USER',
      name: by.fullName,
      email: by.email
    },
    action: change.action,
    outcome: 'SUCCESS',
    resource: change.resource,
    device: change.device ? deviceIn(change.device) : null,
    ...placeOf(state, change.organizationId),
    changes: change.changes ?? [],
    ipAddress: from.ip,
    userAgent: from.userAgent ?? null,
    correlationId: from.id
  })
}
