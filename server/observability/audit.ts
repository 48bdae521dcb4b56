// The audit trail: a log line for each sign-in, sign-out, denied call and change. It is written whatever the log level
// is, but for `silent`, and names people by their ids alone.
import type { Log } from '../types.ts'

export interface AuditEntry {
  event: 'sign-in' | 'sign-out' | 'denied' | 'change'
  /** The user's id, or `null` when nobody is known. */
  userId: string | null
  /** The client id of an internal service. */
  clientId?: string | undefined
  /** What it was about: a route and the path called, or which sessions. */
  target?: { route?: string | undefined; method?: string; path?: string } | { sessions: number } | undefined
  outcome: string
  /** Why, where there is more to say. */
  reason?: string
  /** Of the request that it came with, where it came with one. */
  requestId?: string
  clientIp?: string
}

export type Audit = (entry: AuditEntry) => void

export function createAudit(log: Log): Audit {
  const trail = log.level === 'silent' ? log : log.child({ audit: true }, { level: 'info' })
  return (entry) => trail.info(entry, 'audit')
}
