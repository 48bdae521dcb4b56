// The rows of the audit log's table. Sign-ins, and equal entries, that follow each other share a row that can be opened.
import type { AuditLogEntry } from '#shared/answers/management.ts'
import { count } from '../../../lib/format.ts'
import { sentenceOf, sentenceParts } from './audit-sentences.ts'

export type AuditGroup = [AuditLogEntry, ...AuditLogEntry[]]

/** An entry, the head of a group with the fields of the group's first entry, or a member of an open group. */
export interface AuditRow extends AuditLogEntry {
  group?: { entries: AuditGroup; isOpen: boolean }
  isMember?: true
}

const SIGN_INS: readonly string[] = ['LOGIN', 'LOGOUT']

export function isSignIn(action: string): boolean {
  return SIGN_INS.includes(action)
}

/** Whether the row stands for sign-ins of possibly several people, so that no single entry describes it. */
export function isSignInGroup({ group, action }: AuditRow): boolean {
  return group !== undefined && isSignIn(action)
}

/**
 * The rows of a page of entries. `openGroups` has the choice of the person by the id of a group's first entry. The API
 * counts entries, so a full page can consist of few groups; these start open, so that no page is almost empty.
 */
export function rowsOf(
  entries: readonly AuditLogEntry[],
  pageSize: number,
  openGroups: ReadonlyMap<string, boolean>
): AuditRow[] {
  const groups = groupsOf(entries)
  const startOpen = entries.length >= pageSize && groups.length < pageSize / 2
  return groups.flatMap((group): AuditRow[] => {
    const [first] = group
    if (group.length === 1) return [first]
    const isOpen = openGroups.get(first.id) ?? startOpen
    const members = group.map((entry): AuditRow => ({ ...entry, isMember: true }))
    return [{ ...first, group: { entries: group, isOpen } }, ...(isOpen ? members : [])]
  })
}

/** Groups adjacent sign-ins with the same outcome, and adjacent entries that differ only in time, id and request details. */
export function groupsOf(entries: readonly AuditLogEntry[]): AuditGroup[] {
  const groups: AuditGroup[] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    if (last && groupKeyOf(last[0]) === groupKeyOf(entry)) last.push(entry)
    else groups.push([entry])
  }
  return groups
}

function groupKeyOf(entry: AuditLogEntry): string {
  const { actor, action, resource, customerId, outcome, changes = [] } = entry
  if (isSignIn(action)) return JSON.stringify(['sign-in', outcome])
  return JSON.stringify([actor.id, sentenceOf(entry), resource.id, customerId, outcome, changes])
}

/** "Maria Ruiz", or "3 people" for sign-ins of several. */
export function personOf(row: AuditRow): string {
  const { group, actor } = row
  const people = new Set((group?.entries ?? []).map((entry) => entry.actor.id))
  return people.size > 1 ? `${people.size} people` : actor.name
}

/** The action of a row, as "4 sign-ins" or "moved device to project West". Another column names the object. */
export function deedOf(row: AuditRow): string {
  const { group } = row
  if (group && isSignInGroup(row)) {
    const signIns = group.entries.filter(({ action }) => action === 'LOGIN').length
    const signOuts = group.entries.length - signIns
    return [signIns > 0 && count(signIns, 'sign-in'), signOuts > 0 && count(signOuts, 'sign-out')]
      .filter(Boolean)
      .join(' and ')
  }
  const { before, name, after } = sentenceParts(row)
  if (name === '') return before
  // "changed the location of device" names only the object after "of".
  return before.trim().replace(/ (of|to|for)( [a-z ]+)?$/, '') + after
}

/** The object of the sentence; empty if the sentence has none. */
export function objectOf(row: AuditRow): string {
  return sentenceParts(row).name
}

/** The row's customer, or for sign-ins at several customers how many there are. */
export function customerOf(row: AuditRow): string | null {
  const customers = new Set((row.group?.entries ?? [row]).map(({ customerName }) => customerName))
  return customers.size > 1 ? `${customers.size} customers` : row.customerName
}

/** Names a row in one sentence: "Maria Ruiz moved device AHU-3, 2 times". */
export function rowName(row: AuditRow): string {
  if (isSignInGroup(row)) return `${personOf(row)}: ${deedOf(row)}`
  const times = row.group ? `, ${row.group.entries.length} times` : ''
  return `${row.actor.name} ${sentenceOf(row)}${times}`
}
