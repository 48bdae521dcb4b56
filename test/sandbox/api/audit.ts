// Adds an entry to the audit log for each change made by an API.
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

/** The changed object of an audit entry, without the type of the object. */
interface Subject {
  id: string
  name: string
  organizationId: string | null
  device?: DeviceRecord
}

interface Origin {
  ip: string
  userAgent: string | undefined
  id: string
}

type Recorder<T> = (request: FastifyRequest, action: string, resource: T, changes?: AuditChange[]) => void

export const about = ({ id, customerId }: { id: string; customerId: string }, name: string): Subject => ({
  id,
  name,
  organizationId: customerId
})

export const aboutDevice = (device: DeviceRecord, id: string, name: string): Subject => ({
  id,
  name,
  organizationId: device.customerId,
  device
})

/** Records changes of one type of resource. */
export function recorderOf<T>(state: State, type: string, about: (resource: T) => Subject): Recorder<T> {
  return (request, action, resource, changes = []) => {
    const { ip, id } = request
    const origin = { ip, id, userAgent: request.headers['user-agent'] }
    append(state, callerOf(request), origin, action, type, about(resource), changes)
  }
}

export function changesBetween<T extends object>(
  before: T,
  after: T,
  fields: readonly (keyof T & string)[]
): AuditChange[] {
  const text = (value: unknown) => (value === null ? null : String(value))
  return fields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, before: text(before[field]), after: text(after[field]) }))
}

export function auditSession(state: State, user: UserRecord, action: 'LOGIN' | 'LOGOUT', from: Origin): void {
  const { id, fullName: name, organizationId } = user
  append(state, user, from, action, 'USER', { id, name, organizationId })
}

export function deviceIn({ id, deviceUuid, deviceName }: DeviceRecord): AuditEntry['device'] {
  return { id, deviceUuid, name: deviceName }
}

export function placeOf(state: State, organizationId: string | null) {
  const organization = organizationId === null ? undefined : state.organizations.get(organizationId)
  return {
    organizationId: organization?.partnerId ?? organization?.id ?? null,
    customerId: organization?.partnerId ? organization.id : null,
    customerName: organization?.partnerId ? organization.orgName : null
  }
}

function append(
  state: State,
  caller: UserRecord,
  origin: Origin,
  action: string,
  type: string,
  { id, name, organizationId, device }: Subject,
  changes: AuditChange[] = []
): void {
  state.audit.push({
    id: state.nextId('al'),
    timestamp: now(state),
    actor: {
      id: caller.id,
      type: caller.username === 'internal-service' ? 'SERVICE_ACCOUNT' : 'USER',
      name: caller.fullName,
      email: caller.email
    },
    action,
    outcome: 'SUCCESS',
    resource: { type, id, name },
    device: device ? deviceIn(device) : null,
    ...placeOf(state, organizationId),
    changes,
    ipAddress: origin.ip,
    userAgent: origin.userAgent ?? null,
    correlationId: origin.id
  })
}
