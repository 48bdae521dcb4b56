// Describes audit log entries in sentences.
import type { AuditLogEntry } from '#shared/answers/management.ts'
import { recognizeRole } from '#shared/permissions.ts'
import { codeLabel } from '../../../lib/format.ts'
import { roleLabel, type ScopeNames } from '../access/roles.tsx'

/**
 * Sentence patterns by action, and by action and field, or action, field and new value, of an entry with only one change.
 * `%` is the object's name, `>` the new value of the change.
 */
const SENTENCES: Record<string, string> = {
  LOGIN: 'signed in',
  LOGOUT: 'signed out',
  PROJECT_CREATED: 'created project %',
  PROJECT_RENAMED: 'renamed project % to >',
  PROJECT_DELETED: 'deleted project %',
  DEVICE_REGISTERED: 'registered device %',
  DEVICE_REREGISTERED: 're-registered device %',
  DEVICE_UPDATED: 'changed device %',
  'DEVICE_UPDATED deviceName': 'renamed device % to >',
  'DEVICE_UPDATED location': 'changed the location of device % to >',
  DEVICE_MOVED: 'moved device % to project >',
  DEVICE_DELETED: 'deleted device %',
  USER_INVITED: 'invited %',
  INVITATION_ACCEPTED: 'accepted an invitation to %',
  INVITATION_REJECTED: 'declined an invitation to %',
  INVITATION_RESENT: 'sent the invitation of % again',
  INVITATION_CANCELLED: 'withdrew the invitation of %',
  ROLES_CHANGED: 'changed the access of %',
  SERVICE_ACCOUNT_CREATED: 'created service account %',
  SERVICE_ACCOUNT_UPDATED: 'changed service account %',
  'SERVICE_ACCOUNT_UPDATED serviceName': 'renamed service account % to >',
  'SERVICE_ACCOUNT_UPDATED description': 'changed the description of service account %',
  SERVICE_ACCOUNT_DELETED: 'deleted service account %',
  SECRET_GENERATED: 'generated a new secret for %',
  REPORT_CREATED: 'saved report %',
  REPORT_UPDATED: 'changed report %',
  'REPORT_UPDATED reportName': 'renamed report % to >',
  REPORT_DELETED: 'deleted report %',
  EXPORT_STARTED: 'started export %',
  EXPORT_DOWNLOADED: 'downloaded export %',
  EXPORT_CANCELLED: 'stopped export %',
  EXPORT_DELETED: 'deleted export %',
  BACKUP_DOWNLOADED: 'downloaded a backup of %',
  BACKUP_UPDATED: 'changed a backup of %',
  'BACKUP_UPDATED retained true': 'locked a backup of %',
  'BACKUP_UPDATED retained false': 'unlocked a backup of %',
  'BACKUP_UPDATED notes': 'changed the note of a backup of %',
  BACKUP_DELETED: 'deleted a backup of %',
  ALARM_ACKNOWLEDGED: 'acknowledged alarm %',
  ALARM_NOTED: 'added a note to alarm %',
  POINT_WRITTEN: 'wrote point %',
  POINT_CLEARED: 'cleared the override of point %',
  REMOTE_CONNECTED: 'connected to % by Remote',
  TECH_SUPPORT_ENABLED: 'turned tech support access on',
  TECH_SUPPORT_DISABLED: 'turned tech support access off'
}

interface Sentence {
  before: string
  /** The name of the object; empty if the sentence has none. */
  name: string
  after: string
}

/** The parts of an entry's sentence, such as "moved device ", "AHU-3" and " to project West". */
export function sentenceParts(entry: AuditLogEntry): Sentence {
  const { action, changes = [] } = entry
  const change = changes.at(-1)
  const pattern = patternOf(entry) ?? `${codeLabel(action).toLowerCase()} %`
  const target = change?.after
  const usedPattern = target ? pattern : withoutTarget(pattern)
  const [before = '', after] = usedPattern.split('%')
  if (after === undefined) return { before, name: '', after: '' }
  const name = objectName(entry)
  // An entry about a renamed object may have the new name already.
  const isRenamed = after.endsWith('>') && name === target
  return {
    before,
    name: (isRenamed && change?.before) || name,
    after: after.replace('>', () => target ?? '')
  }
}

const withoutTarget = (pattern: string) => pattern.replace(/ to (?:project )?>$/, '')

/** "changed the location" for "changed the location of device ", which names only the object after "of". */
export function withoutObject(before: string): string {
  return before.trim().replace(/ (of|to|for)( [a-z ]+)?$/, '')
}

/** "changed the location", whatever the new location and the object are. */
export function deedWithoutTarget(entry: AuditLogEntry): string {
  const pattern = withoutTarget(patternOf(entry) ?? codeLabel(entry.action).toLowerCase())
  return withoutObject(pattern.split('%')[0] ?? '')
}

function patternOf({ action, changes = [] }: AuditLogEntry): string | undefined {
  const [change] = changes
  if (!change || changes.length > 1) return SENTENCES[action]
  const { field, after } = change
  return SENTENCES[`${action} ${field} ${after}`] ?? SENTENCES[`${action} ${field}`] ?? SENTENCES[action]
}

/** The name of the entry's object, also if only another part of the entry has the name; else the object's id. */
export function objectName({ resource, device, actor, customerId, customerName }: AuditLogEntry): string {
  if (resource.name) return resource.name
  if (device && (resource.type === 'BACKUP' || resource.id === device.id)) return device.name
  if (resource.id === actor.id) return actor.name
  return (resource.id === customerId && customerName) || resource.id
}

export function sentenceOf(entry: AuditLogEntry): string {
  const { before, name, after } = sentenceParts(entry)
  return before + name + after
}

export function unnamedDevice({ device, resource }: AuditLogEntry): AuditLogEntry['device'] {
  return device && device.name !== resource.name ? device : null
}

export const OUTCOMES: Record<string, { label: string; tone: string }> = {
  SUCCESS: { label: 'Success', tone: 'ok' },
  FAILURE: { label: 'Failed', tone: 'danger' },
  DENIED: { label: 'Denied', tone: 'warn' }
}

export const RESOURCE_TYPES = [
  'PROJECT',
  'DEVICE',
  'USER',
  'INVITATION',
  'SERVICE_ACCOUNT',
  'REPORT',
  'EXPORT',
  'BACKUP',
  'ALARM',
  'POINT',
  'ORGANIZATION'
] as const

const SECRET = /secret|password|token|passphrase/i

/** "Project name" for `projectName`. */
export function fieldLabel(field: string): string {
  return codeLabel(field.replace(/[A-Z]/g, '_$&'))
}

/** The displayed value of a changed field. Values of secret fields are masked; roles are written out. */
export function shownValue(field: string, value: string | null, nameOf: ScopeNames = String): string {
  if (value === null || value === '') return '–'
  if (SECRET.test(field)) return '••••••'
  return field === ROLES_FIELD ? rolesText(String(value), nameOf) : String(value)
}

export const ROLES_FIELD = 'roleAssignments'

/** Names the roles and scopes of "ncp_customer_admin at /organizations/1/customers/9, …". */
function rolesText(value: string, nameOf: ScopeNames): string {
  const assignments = value.split(', ').map((assignment) => {
    const [upstreamName = '', scope] = assignment.split(' at ')
    const role = recognizeRole(upstreamName)
    const label = role ? roleLabel(role) : upstreamName
    return scope === undefined ? label : `${label} at ${nameOf(scope)}`
  })
  return assignments.join(', ')
}
