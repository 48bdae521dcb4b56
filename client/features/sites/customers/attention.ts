// Attention counts of customers: order, age and texts.
import type { LucideIcon } from 'lucide-react'
import Archive from 'lucide-react/icons/archive-x'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import CalendarX from 'lucide-react/icons/calendar-x'
import Gauge from 'lucide-react/icons/gauge'
import Siren from 'lucide-react/icons/siren'
import type { CustomerAttention } from '#shared/answers/portal.ts'
import { ATTENTION_FRESH_MS, ATTENTION_KINDS, type AttentionKind } from '#shared/attention.ts'
import { CUSTOMER_PAGE_SIZE } from '#shared/limits.ts'
import { capitalized, count, formatNumber } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'

export const CUSTOMERS_SHOWN = 2 * CUSTOMER_PAGE_SIZE

const TONES = ['danger', 'warn', 'plain'] as const

interface Kind {
  tone: (typeof TONES)[number]
  Icon: LucideIcon
  label: string
  meaning: string
  /** The name of the count in notes about missing counts. */
  part: string
  /** The address of the list that shows the counted items. */
  to: (customerPath: string) => string
}

export const KINDS: Record<AttentionKind, Kind> = {
  servicesEnded: {
    tone: 'danger',
    Icon: CalendarX,
    label: 'Services ended',
    meaning: 'devices with a service that has ended',
    part: 'services',
    to: (customer) => `${customer}?expires=0`
  },
  plansExceeded: {
    tone: 'danger',
    Icon: Gauge,
    label: 'Plan exceeded',
    meaning: 'devices with data usage above their plan',
    part: 'plans',
    to: (customer) => `${customer}?plan=exceeded&sort=usagePercent&order=desc`
  },
  alarms: {
    tone: 'danger',
    Icon: Siren,
    label: 'Alarms',
    meaning: 'alarms that need action',
    part: 'alarms',
    to: paths.alarms
  },
  servicesEnding: {
    tone: 'warn',
    Icon: CalendarClock,
    label: 'Services ending',
    meaning: 'devices with a service that ends within 30 days',
    part: 'services',
    to: (customer) => `${customer}?expires=30`
  },
  plansWarning: {
    tone: 'warn',
    Icon: Gauge,
    label: 'Plan warning',
    meaning: 'devices with data usage close to the limit of their plan',
    part: 'plans',
    to: (customer) => `${customer}?plan=warning&sort=usagePercent&order=desc`
  },
  withoutBackup: {
    tone: 'plain',
    Icon: Archive,
    label: 'No backup',
    meaning: 'devices without a good backup in 30 days',
    part: 'backups',
    to: (customer) => `${paths.savedBackups(customer)}?missing=yes`
  }
}

type Counted = Pick<CustomerAttention, 'counts' | 'partial'>

export function foundIn({ counts }: Counted): AttentionKind[] {
  return ATTENTION_KINDS.filter((kind) => (counts[kind]?.count ?? 0) > 0)
}

/** Names of the counts that failed, and of the counts that are not read yet. */
export function missingIn({ counts, partial }: Counted): { failed: string[]; unread: string[] } {
  const missingKinds = ATTENTION_KINDS.filter(
    (kind) => counts[kind] === null || counts[kind]?.unread !== undefined
  )
  const namesOf = (kinds: AttentionKind[]) => [...new Set(kinds.map((kind) => KINDS[kind].part))]
  return {
    failed: namesOf(missingKinds.filter((kind) => partial.includes(kind))),
    unread: namesOf(missingKinds.filter((kind) => !partial.includes(kind)))
  }
}

export function isUnread(counted: Counted): boolean {
  return missingIn(counted).unread.length > 0
}

/** When the oldest count of a customer was read; null without counts. */
export function readAtOf({ counts }: Counted): string | null {
  const times = ATTENTION_KINDS.flatMap((kind) => counts[kind]?.readAt ?? [])
  return times.length === 0 ? null : times.reduce((oldest, time) => (time < oldest ? time : oldest))
}

/** Whether any count is older than twice its maximum age. */
export function isOld({ counts }: Counted, nowMs: number): boolean {
  return ATTENTION_KINDS.some((kind) => {
    const readAt = counts[kind]?.readAt
    return readAt !== undefined && nowMs - Date.parse(readAt) > 2 * ATTENTION_FRESH_MS[kind]
  })
}

/** Sorts by the number of kinds with the worst tone, then by their counts, then likewise by the next tones. */
export function worstFirst<T extends Counted>(customers: readonly T[]): T[] {
  const weights = new Map(customers.map((customer) => [customer, weightsOf(customer)]))
  return customers.toSorted((a, b) => {
    const weightsOfA = weights.get(a) ?? []
    const weightsOfB = weights.get(b) ?? []
    const firstDifference = weightsOfA.findIndex((weight, index) => weight !== weightsOfB[index])
    return firstDifference < 0 ? 0 : (weightsOfB[firstDifference] ?? 0) - (weightsOfA[firstDifference] ?? 0)
  })
}

function weightsOf(customer: Counted): number[] {
  const foundKinds = foundIn(customer)
  return TONES.flatMap((tone) => {
    const kinds = foundKinds.filter((kind) => KINDS[kind].tone === tone)
    return [kinds.length, kinds.reduce((sum, kind) => sum + (customer.counts[kind]?.count ?? 0), 0)]
  })
}

/** Keeps the displayed order while counts arrive; new ids come last. */
export function keptOrder(shownIds: readonly string[], sortedIds: readonly string[]): string[] {
  const currentIds = new Set(sortedIds)
  const keptIds = shownIds.filter((id) => currentIds.has(id))
  const keptIdSet = new Set(keptIds)
  return [...keptIds, ...sortedIds.filter((id) => !keptIdSet.has(id))]
}

/** A text about the number of customers that need attention, and about the progress while counts are read. */
export function factsOf({ needing, unread, all }: { needing: number; unread: number; all: number }): string {
  if (all === 0) return ''
  const need = needing === 1 ? 'needs' : 'need'
  if (unread > 0) {
    const checked = `${formatNumber(all - unread)} of ${count(all, 'customer')} fully checked`
    return needing === 0 ? checked : `${formatNumber(needing)} ${need} attention so far, ${checked}`
  }
  if (needing === 0) return 'All customers are well'
  return `${formatNumber(needing)} of ${count(all, 'customer')} ${need} attention`
}

export function gapsOf(customer: CustomerAttention): { failed: string | null; unread: string | null } {
  const { failed, unread } = missingIn(customer)
  return {
    failed: failed.length > 0 ? `${capitalized(failed.join(', '))} not read` : null,
    unread: unread.length > 0 ? readingOf(customer, unread) : null
  }
}

function readingOf(customer: CustomerAttention, unread: readonly string[]): string {
  if (readAtOf(customer) === null) return 'Reading…'
  const plans = customer.counts.plansExceeded?.unread
  return plans === undefined ? `Reading ${unread.join(', ')}…` : `Reading ${count(plans, 'plan')}…`
}
