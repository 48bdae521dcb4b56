// Computes the counts of one customer from its readings.
import type { AttentionCount, CustomerAttention } from '#shared/answers/portal.ts'
import { ATTENTION_KINDS, type AttentionKind } from '#shared/attention.ts'
import type { Readings } from '../readings/customer-readings.ts'
import { COUNTED_PARTS, PART_NAMES, PARTS, type Part } from '../readings/parts.ts'

/**
 * Leaves out counts that the caller may not see. A count that has not been fetched yet is null.
 * @param areAlarmsLate whether the alarms are read less often than they should
 */
export function countsOf(
  readings: Readings | undefined,
  kinds: readonly AttentionKind[],
  areAlarmsLate = false
): Pick<CustomerAttention, 'counts' | 'partial'> {
  const visibleKinds = ATTENTION_KINDS.filter((kind) => kinds.includes(kind))
  const failed = COUNTED_PARTS.filter((part) => failedWith(part, readings))
  return {
    counts: Object.fromEntries(visibleKinds.map((kind) => [kind, countOf(kind, readings)])),
    partial: visibleKinds.filter((kind) =>
      kind === 'alarms' ? areAlarmsLate : failed.some((part) => PARTS[part].counts[kind] !== undefined)
    )
  }
}

/** Replaces counts that are missing or may still grow with the previous ones. */
export function withLast(
  counts: CustomerAttention['counts'],
  last: CustomerAttention['counts'] = {}
): CustomerAttention['counts'] {
  const entries = Object.entries(counts) as [AttentionKind, AttentionCount | null][]
  return Object.fromEntries(
    entries.map(([kind, count]) => [
      kind,
      count && count.unread === undefined ? count : (last[kind] ?? count)
    ])
  )
}

/** A part that needs the services also fails if the services failed. */
export function failedWith(part: Part, readings: Readings | undefined): boolean {
  const hasFailed = (name: Part) => (readings?.failedAt?.[name] ?? readings?.awayAt?.[name]) !== undefined
  const { needs } = PARTS[part]
  return hasFailed(part) || (needs === 'services' && readings?.services === undefined && hasFailed(needs))
}

function countOf(kind: AttentionKind, readings: Readings | undefined): AttentionCount | null {
  const part = PART_NAMES.find((name) => PARTS[name].counts[kind] !== undefined)
  const count = readings && part && PARTS[part].counts[kind]?.(readings)
  return count ? { ...count, readAt: new Date(count.readAt).toISOString() } : null
}
