// What of customers needs a person, in words, and where each count leads. Pure.
import type { AttentionKind, CustomerAttention } from '#shared/attention.ts'
import { count, formatNumber } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { missingIn, readAtOf } from './attention.ts'

interface KindWords {
  label: string
  meaning: string
  /** The list that shows exactly those. */
  to: (customerPath: string) => string
}

const WORST_FIRST = 'sort=usagePercent&order=desc'

export const WORDS: Record<AttentionKind, KindWords> = {
  servicesEnded: {
    label: 'Services ended',
    meaning: 'devices with a service that has ended',
    to: (customer) => `${customer}?expires=0`
  },
  plansExceeded: {
    label: 'Plan exceeded',
    meaning: 'devices with data usage above their plan',
    to: (customer) => `${customer}?plan=exceeded&${WORST_FIRST}`
  },
  alarms: {
    label: 'Alarms',
    meaning: 'alarms that need action',
    to: paths.alarms
  },
  servicesEnding: {
    label: 'Services ending',
    meaning: 'devices with a service that ends within 30 days',
    to: (customer) => `${customer}?expires=30`
  },
  plansWarning: {
    label: 'Plan warning',
    meaning: 'devices with data usage close to the limit of their plan',
    to: (customer) => `${customer}?plan=warning&${WORST_FIRST}`
  },
  withoutBackup: {
    label: 'No backup',
    meaning: 'devices without a good backup in 30 days',
    to: (customer) => `${paths.savedBackups(customer)}?missing=yes`
  }
}
export const ALL_WELL = 'All well'

/** What of a customer could not be read, and what is yet to be; null where nothing is missing. */
export function gapsOf(customer: CustomerAttention): { failed: string | null; unread: string | null } {
  const { failed, unread } = missingIn(customer)
  return {
    failed: failed.length > 0 ? `${sentence(failed)} not read` : null,
    unread: unread.length > 0 ? readingOf(customer, unread) : null
  }
}

function readingOf(customer: CustomerAttention, unread: readonly string[]): string {
  if (readAtOf(customer) === null) return 'Reading…'
  const plans = customer.counts.plansExceeded?.unread
  return plans === undefined ? `Reading ${unread.join(', ')}…` : `Reading ${count(plans, 'plan')}…`
}

function sentence(words: readonly string[]): string {
  const text = words.join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** How much a customer has. */
export function sizeOf({ projectCount, deviceCount }: { projectCount: number; deviceCount: number }): string {
  return `${formatNumber(projectCount)} Projects | ${formatNumber(deviceCount)} Devices`
}
