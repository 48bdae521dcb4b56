// The counts of the start page, which show what needs attention at a customer.

import type { Usage } from './answers/portal.ts'
import type { Action } from './permissions.ts'

/** Each count with the action that a user needs to see it, the most important first. All count devices, except `alarms`. */
export const ATTENTION = {
  /** An ended service without a later subscription. */
  servicesEnded: 'devices:view',
  /** Data usage above the plan limit. */
  plansExceeded: 'data:query',
  /** Alarms that are not back to normal, or not acknowledged. */
  alarms: 'alarms:query',
  /** A service that ends within 30 days. */
  servicesEnding: 'devices:view',
  /** Data usage close to the plan limit. */
  plansWarning: 'data:query',
  /** An active Recover service without a good backup in the last 30 days. */
  withoutBackup: 'recover:view'
} as const satisfies Record<string, Action>

export type AttentionKind = keyof typeof ATTENTION
export const ATTENTION_KINDS = Object.keys(ATTENTION) as AttentionKind[]

const MINUTE_MS = 60_000
/** Maximum age of each count. Counts that take many calls may be older than others. */
export const ATTENTION_FRESH_MS: Record<AttentionKind, number> = {
  servicesEnded: 30 * MINUTE_MS,
  plansExceeded: 60 * MINUTE_MS,
  alarms: 10 * MINUTE_MS,
  servicesEnding: 30 * MINUTE_MS,
  plansWarning: 60 * MINUTE_MS,
  withoutBackup: 30 * MINUTE_MS
}

/** Levels of data usage that need attention. */
export const PLAN_LEVELS = ['warning', 'exceeded'] as const satisfies readonly Usage['level'][]
export type PlanLevel = (typeof PLAN_LEVELS)[number]
