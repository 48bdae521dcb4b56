// The counts of one customer from its readings. Pure.
import type { AttentionCount, CustomerAttention } from '#shared/answers/portal.ts'
import { ATTENTION_KINDS, type AttentionKind } from '#shared/attention.ts'
import {
  BUILT_ON_SERVICES,
  PART_NAMES,
  PARTS,
  type Part,
  plansUnread,
  type Read,
  type Readings,
  readAtOf
} from './readings.ts'

/** A count that the caller may not see is absent; a missing one is null. */
export function countsOf(
  readings: Readings | undefined,
  kinds: readonly AttentionKind[]
): Pick<CustomerAttention, 'counts' | 'partial'> {
  const seen = ATTENTION_KINDS.filter((kind) => kinds.includes(kind))
  const failed = PART_NAMES.filter((part) => failedWith(part, readings))
  return {
    counts: Object.fromEntries(seen.map((kind) => [kind, readings ? countOf(kind, readings) : null])),
    partial: seen.filter((kind) => failed.some((part) => (PARTS[part] as readonly string[]).includes(kind)))
  }
}

/** With the previous counts where one is missing or may still grow. */
export function withLast(
  counts: CustomerAttention['counts'],
  last: CustomerAttention['counts'] = {}
): CustomerAttention['counts'] {
  const shown = Object.entries(counts) as [AttentionKind, AttentionCount | null][]
  return Object.fromEntries(
    shown.map(([kind, count]) => [kind, count && count.unread === undefined ? count : (last[kind] ?? count)])
  )
}

/** Counts that need services are not read without them. */
function failedWith(part: Part, readings: Readings | undefined): boolean {
  const has = (one: Part) => readings?.failedAt[one] !== undefined
  return (
    has(part) || (BUILT_ON_SERVICES.includes(part) && readings?.services === undefined && has('services'))
  )
}

function countOf(kind: AttentionKind, readings: Readings): AttentionCount | null {
  const { services, alarms, backups } = readings
  const countWith = (read: Read | undefined, count = 0): AttentionCount | null =>
    read ? { count, readAt: new Date(read.readAt).toISOString() } : null
  switch (kind) {
    case 'servicesEnded':
      return countWith(services, services?.ended)
    case 'servicesEnding':
      return countWith(services, services?.ending)
    case 'alarms':
      return countWith(alarms, alarms?.count)
    case 'withoutBackup':
      return countWith(backups, backups?.missing)
    default: {
      if (services === undefined) return null
      const unread = plansUnread(readings)
      const readAt = readAtOf('plans', readings) ?? (unread === 0 ? services.readAt : undefined)
      const found = readings.planTotals[kind === 'plansExceeded' ? 'exceeded' : 'warning']
      const counted = readAt === undefined ? null : countWith({ readAt }, found)
      return counted && (unread > 0 ? { ...counted, unread } : counted)
    }
  }
}
