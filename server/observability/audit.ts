// Writes the audit trail: a log line for each sign-in, sign-out, denied call and change, at every log level except `silent`.
// Identifies people only by their ids.
import type { Log } from '../types.ts'

export interface AuditEntry {
  event: 'sign-in' | 'sign-out' | 'denied' | 'change'
  /** The user's id; null if unknown. */
  userId: string | null
  /** The client id of an internal service. */
  clientId?: string | undefined
  /** The route and path of the call, or the number of sessions. */
  target?: { route?: string | undefined; method?: string; path?: string } | { sessions: number } | undefined
  /** The recorded fields of the query or body, and the number of list items that are left out. */
  fields?: unknown
  omitted?: number
  /** The recorded fields of the object before the call, and when they were read. */
  before?: unknown
  beforeReadAt?: string
  outcome: string
  reason?: string
  /** Ids of the request, if the entry belongs to one. */
  requestId?: string
  traceId?: string
  clientIp?: string
}

export type Audit = (entry: AuditEntry) => void

export function createAudit(log: Log): Audit {
  const trail = log.level === 'silent' ? log : log.child({ audit: true }, { level: 'info' })
  return (entry) => trail.info(entry, 'audit')
}
