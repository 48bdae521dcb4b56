// What of a customer needs a person: the counts of the start page, and who may see each.
import type { CustomerCard } from './entities.ts'
import type { Action } from './permissions.ts'
import type { UsageLevel } from './usage.ts'

/** By count, the right to what is counted. Devices are counted, but for alarms. In the order of their weight. */
export const ATTENTION = {
  /** A service has ended, and has no later subscription. */
  servicesEnded: 'devices:view',
  /** Data usage above the plan limit. */
  plansExceeded: 'data:query',
  /** Alarms that are not back to normal, or not acknowledged. */
  alarms: 'alarms:query',
  /** A service ends within 30 days. */
  servicesEnding: 'devices:view',
  /** Data usage close to the plan limit. */
  plansWarning: 'data:query',
  /** Recover is active, and nothing good was saved in 30 days. */
  withoutBackup: 'recover:view'
} as const satisfies Record<string, Action>

export type AttentionKind = keyof typeof ATTENTION
export const ATTENTION_KINDS = Object.keys(ATTENTION) as AttentionKind[]

const MINUTE_MS = 60_000
/** How old a count may get before it is read again: the dearer to read, the older. */
export const ATTENTION_FRESH_MS: Record<AttentionKind, number> = {
  servicesEnded: 30 * MINUTE_MS,
  plansExceeded: 60 * MINUTE_MS,
  alarms: 10 * MINUTE_MS,
  servicesEnding: 30 * MINUTE_MS,
  plansWarning: 60 * MINUTE_MS,
  withoutBackup: 30 * MINUTE_MS
}

/** Levels of data usage that want a look. */
export const PLAN_LEVELS = ['warning', 'exceeded'] as const satisfies readonly UsageLevel[]
export type PlanLevel = (typeof PLAN_LEVELS)[number]

export interface AttentionCount {
  count: number
  /** When it was read, of several readings the oldest. ISO 8601 UTC. */
  readAt: string
  /** Plans that are yet to be read: the count may grow. */
  unread?: number
}

export interface CustomerAttention extends CustomerCard {
  /** One that the caller may not see is absent, one that has not been read is null. */
  counts: Partial<Record<AttentionKind, AttentionCount | null>>
  /** Those that could not be read when it was last tried: what stands there is older, or null. */
  partial: AttentionKind[]
}

export interface AttentionList {
  /** By name. */
  items: CustomerAttention[]
  /** The counts that are not complete for every customer. */
  partial: AttentionKind[]
}
