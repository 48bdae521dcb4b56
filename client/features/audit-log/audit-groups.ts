// Entries that say the same one after the other are one row with a count.
import { type AuditEntry, sentenceOf } from './audit-sentences.ts'

export interface AuditGroup {
  /** In the order of the log; the first one stands for all. */
  entries: [AuditEntry, ...AuditEntry[]]
}

const saidBy = (entry: AuditEntry) =>
  JSON.stringify([
    entry.actor.id,
    sentenceOf(entry),
    entry.resource.id,
    entry.customerId,
    entry.outcome,
    entry.changes ?? []
  ])

export function groupsOf(rows: readonly AuditEntry[]): AuditGroup[] {
  const groups: AuditGroup[] = []
  for (const entry of rows) {
    const last = groups.at(-1)
    if (last && saidBy(last.entries[0]) === saidBy(entry)) last.entries.push(entry)
    else groups.push({ entries: [entry] })
  }
  return groups
}
