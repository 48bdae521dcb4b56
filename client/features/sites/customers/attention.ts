// Attention counts of customers: order, age, what stands out, and texts.
import type { CustomerAttention } from '#shared/answers/portal.ts'
import { ATTENTION, ATTENTION_KINDS, type AttentionKind } from '#shared/attention.ts'
import type { WorklistName } from '#shared/worklists.ts'
import { capitalized, count, formatNumber } from '../../../lib/format.ts'

/** Customers of one page of the table: all customers of most integrators, in a table that renders at once. */
export const TABLE_PAGE_SIZE = 50

const TONES = ['danger', 'warn', 'plain'] as const

interface Kind {
  tone: (typeof TONES)[number]
  label: string
  meaning: string
  /** A count with what it counts, such as "3 alarms". */
  counted: (value: number) => string
  /** The name of the count in notes about missing counts. */
  part: string
  /** The list over all customers that shows the counted devices; none for alarms. */
  list?: { name: WorklistName; query: Record<string, string> }
}

const devices = (which: string) => ({
  meaning: `devices ${which}`,
  counted: (value: number) => `${count(value, 'device')} ${which}`
})

/** In the order of the columns. */
export const KINDS: Record<AttentionKind, Kind> = {
  alarms: {
    tone: 'danger',
    label: 'Alarms',
    meaning: 'alarms that need action',
    counted: (value) => count(value, 'alarm'),
    part: 'alarms'
  },
  servicesEnded: {
    tone: 'danger',
    label: 'Services ended',
    ...devices('with a service that has ended'),
    part: 'services',
    list: { name: 'services', query: { days: '0', order: 'desc' } }
  },
  servicesEnding: {
    tone: 'warn',
    label: 'Services ending',
    ...devices('with a service that ends within 30 days'),
    part: 'services',
    list: { name: 'services', query: { days: '30' } }
  },
  plansExceeded: {
    tone: 'danger',
    label: 'Plan exceeded',
    ...devices('with data usage above their plan'),
    part: 'plans',
    list: { name: 'plans', query: { level: 'exceeded' } }
  },
  plansWarning: {
    tone: 'warn',
    label: 'Plan warning',
    ...devices('with data usage close to the limit of their plan'),
    part: 'plans',
    list: { name: 'plans', query: { level: 'warning' } }
  },
  withoutBackup: {
    tone: 'plain',
    label: 'Without backup',
    ...devices('without a good backup in 30 days'),
    part: 'backups',
    list: { name: 'backups', query: {} }
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

export function hasFailed(counted: Counted): boolean {
  return missingIn(counted).failed.length > 0
}

/** When the oldest count of a customer was read; null without counts. */
export function readAtOf({ counts }: Pick<Counted, 'counts'>): string | null {
  return oldestOf(ATTENTION_KINDS.flatMap((kind) => counts[kind]?.readAt ?? []))
}

const oldestOf = (times: readonly string[]): string | null =>
  times.length === 0 ? null : times.reduce((oldest, time) => (time < oldest ? time : oldest))

/** Whether any count is older than twice its maximum age. */
export function isOld({ counts }: Pick<Counted, 'counts'>, nowMs: number): boolean {
  return ATTENTION_KINDS.some((kind) => {
    const readAt = counts[kind]?.readAt
    return readAt !== undefined && nowMs - Date.parse(readAt) > 2 * ATTENTION[kind].freshMs
  })
}

export interface Ages {
  /** The age of all customers except those of `lateIds`; null without counts. */
  readAt: string | null
  isOld: boolean
  /** Customers whose counts are old while those of most customers are not. They show their own age. */
  lateIds: ReadonlySet<string>
}

type Aged = Pick<CustomerAttention, 'id' | 'counts'>

/** One age for all customers, and the customers that are older. */
export function agesOf(customers: readonly Aged[], nowMs: number): Ages {
  const old = customers.filter((customer) => isOld(customer, nowMs))
  const isMostOld = 2 * old.length > customers.length
  const late = new Set(isMostOld ? [] : old)
  const times = customers.flatMap((customer) => (late.has(customer) ? [] : (readAtOf(customer) ?? [])))
  return {
    readAt: oldestOf(times),
    isOld: isMostOld,
    lateIds: new Set([...late].map(({ id }) => id))
  }
}

/** A count below this number never stands out. */
const STANDS_OUT_MIN = 5
const STANDS_OUT_MEDIANS = 3

/**
 * The smallest count of each kind that stands out: more than three times the median of the customers that have any, and
 * at least 5. So fewer than half of these customers stand out, and a single one never does.
 */
export function standOutLimits(customers: readonly Counted[]): Record<AttentionKind, number> {
  const limitOf = (kind: AttentionKind) => {
    const values = customers.flatMap(({ counts }) => counts[kind]?.count || []).sort((a, b) => a - b)
    const median = values[Math.floor((values.length - 1) / 2)] ?? 0
    return Math.max(STANDS_OUT_MEDIANS * median + 1, STANDS_OUT_MIN)
  }
  return Object.fromEntries(ATTENTION_KINDS.map((kind) => [kind, limitOf(kind)])) as Record<
    AttentionKind,
    number
  >
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

/** The order in which the list opens. */
export const WORST_FIRST = 'attention'
const COLUMNS = ['projects', 'devices', ...ATTENTION_KINDS]

/** By name from A to Z, by a number with the largest first. */
export function firstOrderOf(sort: string): 'asc' | 'desc' {
  return sort === 'name' ? 'asc' : 'desc'
}

/**
 * Sorts customers, which come sorted by name. Customers with the same number are sorted worst first, and customers
 * whose number is not read come last.
 */
export function sorted(
  customers: readonly CustomerAttention[],
  sort: string,
  order: string
): readonly CustomerAttention[] {
  if (sort === 'name') return order === 'desc' ? customers.toReversed() : customers
  const worst = worstFirst(customers)
  if (!COLUMNS.includes(sort)) return worst
  const sign = order === 'asc' ? 1 : -1
  return worst.toSorted((a, b) => {
    const [valueOfA, valueOfB] = [numberOf(a, sort), numberOf(b, sort)]
    if (valueOfA === null || valueOfB === null) return Number(valueOfA === null) - Number(valueOfB === null)
    return sign * (valueOfA - valueOfB)
  })
}

function numberOf(customer: CustomerAttention, sort: string): number | null {
  if (sort === 'projects') return customer.projectCount
  if (sort === 'devices') return customer.deviceCount
  return customer.counts[sort as AttentionKind]?.count ?? null
}

/** Keeps the displayed order while counts arrive; new ids come last. */
export function keptOrder(shownIds: readonly string[], sortedIds: readonly string[]): string[] {
  const currentIds = new Set(sortedIds)
  const keptIds = shownIds.filter((id) => currentIds.has(id))
  const keptIdSet = new Set(keptIds)
  return [...keptIds, ...sortedIds.filter((id) => !keptIdSet.has(id))]
}

interface CustomerNumbers {
  needing: number
  /** Number of customers with counts that are not read yet. */
  unread: number
  /** Number of customers with counts that could not be read. */
  failed: number
  /** Number of customers whose counts are all read. */
  checked: number
  all: number
}

/** A text about the number of customers that need attention, and about counts that are not read yet or have failed. */
export function factsOf({ needing, unread, failed, checked, all }: CustomerNumbers): string {
  if (all === 0) return ''
  const need = needing === 1 ? 'needs' : 'need'
  if (unread > 0) {
    const progress = `${formatNumber(checked)} of ${count(all, 'customer')} fully checked`
    return needing === 0 ? progress : `${formatNumber(needing)} ${need} attention so far, ${progress}`
  }
  if (needing === 0 && failed === 0) return 'All customers are well'
  const notRead = failed > 0 ? `, ${formatNumber(failed)} not fully read` : ''
  return `${formatNumber(needing)} of ${count(all, 'customer')} ${need} attention${notRead}`
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
