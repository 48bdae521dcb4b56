// The counts of the start page, which show what needs attention at a customer.

import type { Usage } from './answers/portal.ts'
import type { Action } from './permissions.ts'

const MINUTE_MS = 60_000

interface Row {
  /** The action that a user needs to see it. */
  action: Action
  /** Its maximum age. Counts that take many calls may be older than others. */
  freshMs: number
}

/** The counts, the most important first. All count devices, except `alarms`. */
export const ATTENTION = {
  /** An ended service without a later subscription. */
  servicesEnded: { action: 'devices:view', freshMs: 30 * MINUTE_MS },
  /** Data usage above the plan limit. */
  plansExceeded: { action: 'data:query', freshMs: 60 * MINUTE_MS },
  /** Alarms that are not back to normal, or not acknowledged. */
  alarms: { action: 'alarms:query', freshMs: 10 * MINUTE_MS },
  /** A service that ends within 30 days. */
  servicesEnding: { action: 'devices:view', freshMs: 30 * MINUTE_MS },
  /** Data usage close to the plan limit. */
  plansWarning: { action: 'data:query', freshMs: 60 * MINUTE_MS },
  /** An active Recover service without a good backup in the last 30 days. */
  withoutBackup: { action: 'recover:view', freshMs: 30 * MINUTE_MS }
} as const satisfies Record<string, Row>

export type AttentionKind = keyof typeof ATTENTION
export const ATTENTION_KINDS = Object.keys(ATTENTION) as AttentionKind[]

/** Levels of data usage that need attention. */
export const PLAN_LEVELS = ['warning', 'exceeded'] as const satisfies readonly Usage['level'][]
export type PlanLevel = (typeof PLAN_LEVELS)[number]
