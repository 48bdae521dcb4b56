// Computes the counts of one customer from its readings.
import type { AttentionCount, CustomerAttention } from '#shared/answers/portal.ts'
import { ATTENTION_KINDS, type AttentionKind } from '#shared/attention.ts'
import { plansUnread, type Read, type Readings, readAtOf } from '../readings/customer-readings.ts'
import { COUNTED_PARTS, PARTS, type Part } from '../readings/parts.ts'
import type { AlarmState } from '../readings/reader.ts'

/** Leaves out counts that the caller may not see. A count that has not been fetched yet is null. */
export function countsOf(
  readings: Readings | undefined,
  alarms: AlarmState,
  kinds: readonly AttentionKind[]
): Pick<CustomerAttention, 'counts' | 'partial'> {
  const visibleKinds = ATTENTION_KINDS.filter((kind) => kinds.includes(kind))
  const failed = COUNTED_PARTS.filter((part) => failedWith(part, readings))
  return {
    counts: Object.fromEntries(visibleKinds.map((kind) => [kind, countOf(kind, readings, alarms)])),
    partial: visibleKinds.filter((kind) =>
      kind === 'alarms'
        ? alarms.delayedSince !== undefined
        : failed.some((part) => PARTS[part].kinds.includes(kind))
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
function failedWith(part: Part, readings: Readings | undefined): boolean {
  const hasFailed = (name: Part) => (readings?.failedAt?.[name] ?? readings?.awayAt?.[name]) !== undefined
  const { needs } = PARTS[part]
  return hasFailed(part) || (needs === 'services' && readings?.services === undefined && hasFailed(needs))
}

function countOf(
  kind: AttentionKind,
  readings: Readings | undefined,
  { reading, readAt: alarmsReadAt }: AlarmState
): AttentionCount | null {
  const countWith = (read: Read | undefined, count = 0): AttentionCount | null =>
    read ? { count, readAt: new Date(read.readAt).toISOString() } : null
  if (kind === 'alarms')
    return countWith(alarmsReadAt === undefined ? undefined : { readAt: alarmsReadAt }, reading?.count)
  if (readings === undefined) return null
  const { services, backups } = readings
  switch (kind) {
    case 'servicesEnded':
      return countWith(services, services?.ended)
    case 'servicesEnding':
      return countWith(services, services?.ending)
    case 'withoutBackup':
      return countWith(backups, backups?.missing)
    case 'plansExceeded':
    case 'plansWarning': {
      if (services === undefined) return null
      const unread = plansUnread(readings)
      const readAt = readAtOf('plans', readings) ?? (unread === 0 ? services.readAt : undefined)
      const total = readings.planTotals[kind === 'plansExceeded' ? 'exceeded' : 'warning']
      const planCount = readAt === undefined ? null : countWith({ readAt }, total)
      return planCount && (unread > 0 ? { ...planCount, unread } : planCount)
    }
  }
}
