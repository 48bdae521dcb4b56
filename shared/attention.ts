// The counts of the start page that show what needs attention at a customer, and the action that each requires.
import type { Action } from './permissions.ts'
import type { UsageLevel } from './usage.ts'

/** The counts with the action that each needs, the most important first. They count devices, except for alarms. */
export const ATTENTION = {
  /** A service has ended and has no later subscription. */
  servicesEnded: 'devices:view',
  /** Data usage above the plan limit. */
  plansExceeded: 'data:query',
  /** Alarms that are not back to normal, or not acknowledged. */
  alarms: 'alarms:query',
  /** A service ends within 30 days. */
  servicesEnding: 'devices:view',
  /** Data usage close to the plan limit. */
  plansWarning: 'data:query',
  /** Recover is active, and there is no good backup of the last 30 days. */
  withoutBackup: 'recover:view'
} as const satisfies Record<string, Action>

export type AttentionKind = keyof typeof ATTENTION
export const ATTENTION_KINDS = Object.keys(ATTENTION) as AttentionKind[]

const MINUTE_MS = 60_000
/** Maximum age of a count; expensive counts may be older. */
export const ATTENTION_FRESH_MS: Record<AttentionKind, number> = {
  servicesEnded: 30 * MINUTE_MS,
  plansExceeded: 60 * MINUTE_MS,
  alarms: 10 * MINUTE_MS,
  servicesEnding: 30 * MINUTE_MS,
  plansWarning: 60 * MINUTE_MS,
  withoutBackup: 30 * MINUTE_MS
}

/** Levels of data usage that need attention. */
export const PLAN_LEVELS = ['warning', 'exceeded'] as const satisfies readonly UsageLevel[]
export type PlanLevel = (typeof PLAN_LEVELS)[number]
