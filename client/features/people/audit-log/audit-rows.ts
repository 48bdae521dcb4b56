// The rows of the audit log's table. Entries that follow each other share a row that can be opened: sign-ins, equal entries, and
// what one person did to several objects within a minute. Only entries of the loaded page are known here.
import type { AuditLogEntry } from '#shared/answers/management.ts'
import type { Page } from '#shared/answers/parts.ts'
import { codeLabel, count } from '../../../lib/format.ts'
import { deedWithoutTarget, sentenceOf, sentenceParts, withoutObject } from './audit-sentences.ts'

export type AuditGroup = [AuditLogEntry, ...AuditLogEntry[]]

/** An entry, the head of a group with the fields of the group's first entry, or a member of an open group. */
export interface AuditRow extends AuditLogEntry {
  group?: {
    entries: AuditGroup
    isOpen: boolean
    /** The number of entries of the group on all pages, if the page cuts the group. */
    total?: number | undefined
  }
  isMember?: true
}

/** Times of the API are in UTC. */
const MINUTE_LENGTH = '2000-01-01T00:00'.length

const SIGN_INS: readonly string[] = ['LOGIN', 'LOGOUT']

export function isSignIn(action: string): boolean {
  return SIGN_INS.includes(action)
}

/** Whether the row stands for sign-ins of possibly several people, so that no single entry describes it. */
export function isSignInGroup({ group, action }: AuditRow): boolean {
  return group !== undefined && isSignIn(action)
}

/** The number of entries of a group on all pages, by the id of the group's first entry on this page. */
export type GroupTotals = ReadonlyMap<string, number>
const NO_TOTALS: GroupTotals = new Map()

/** The actions on several objects at the ends of a page, which may go on on the next page or the one before. */
export function cutGroupsOf({
  items,
  page
}: Page<AuditLogEntry>): Record<'first' | 'last', AuditGroup | null> {
  const groups = groupsOf(items)
  const bulkOf = (group: AuditGroup | undefined) =>
    group && isBulk({ group: { entries: group, isOpen: false }, action: group[0].action }) ? group : null
  return {
    first: page.number > 0 ? bulkOf(groups[0]) : null,
    last: page.number + 1 < page.totalPages ? bulkOf(groups.at(-1)) : null
  }
}

/** The filter of what the entry's person did in the same way in the same minute. */
export function minuteFilter({ actor, action, outcome, resource, timestamp }: AuditLogEntry) {
  const minute = timestamp.slice(0, MINUTE_LENGTH)
  return {
    actorId: actor.id,
    action: [action],
    outcome,
    resourceType: resource.type,
    from: `${minute}:00.000Z`,
    to: `${minute}:59.999Z`
  }
}

/** Whether the row stands for one action on several objects. */
export function isBulk({ group, action }: Pick<AuditRow, 'group' | 'action'>): boolean {
  return group !== undefined && !isSignIn(action) && objectIdsOf(group.entries).size > 1
}

/** Whether the row stands for entries of which no single one describes the others. */
export function isSummary(row: AuditRow): boolean {
  return isSignInGroup(row) || isBulk(row)
}

const objectIdsOf = (entries: readonly AuditLogEntry[]) => new Set(entries.map(({ resource }) => resource.id))

/**
 * The rows of a page of entries. `openGroups` has the choice of the person by the id of a group's first entry. The API
 * counts entries, so a full page can consist of few groups; these start open, so that no page is almost empty. Actions on
 * several objects start closed.
 */
export function rowsOf(
  entries: readonly AuditLogEntry[],
  pageSize: number,
  openGroups: ReadonlyMap<string, boolean>,
  totals: GroupTotals = NO_TOTALS
): AuditRow[] {
  const groups = groupsOf(entries)
  const startOpen = entries.length >= pageSize && groups.length < pageSize / 2
  return groups.flatMap((group): AuditRow[] => {
    const [first] = group
    if (group.length === 1) return [first]
    const isBulkGroup = isBulk({ group: { entries: group, isOpen: false }, action: first.action })
    const isOpen = openGroups.get(first.id) ?? (startOpen && !isBulkGroup)
    const members = group.map((entry): AuditRow => ({ ...entry, isMember: true }))
    return [
      { ...first, group: { entries: group, isOpen, total: totals.get(first.id) } },
      ...(isOpen ? members : [])
    ]
  })
}

/**
 * Groups adjacent entries: sign-ins with the same outcome, entries that differ only in time, id and request details, and what
 * one person did to objects of one kind within a minute of the clock.
 */
export function groupsOf(entries: readonly AuditLogEntry[]): AuditGroup[] {
  const groups: AuditGroup[] = []
  for (const entry of entries) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last && isSameGroup(last, entry)) group.push(entry)
    else groups.push([entry])
  }
  return groups
}

function isSameGroup(before: AuditLogEntry, entry: AuditLogEntry): boolean {
  if (isSignIn(entry.action)) return signInKeyOf(before) === signInKeyOf(entry)
  if (before.resource.id === entry.resource.id) return equalKeyOf(before) === equalKeyOf(entry)
  return minuteKeyOf(before) === minuteKeyOf(entry)
}

const signInKeyOf = ({ action, outcome }: AuditLogEntry) =>
  isSignIn(action) ? `sign-in ${outcome}` : 'no sign-in'

function equalKeyOf(entry: AuditLogEntry): string {
  const { actor, resource, customerId, outcome, changes = [] } = entry
  return JSON.stringify([actor.id, sentenceOf(entry), resource.id, customerId, outcome, changes])
}

function minuteKeyOf({ actor, action, resource, outcome, changes = [], timestamp }: AuditLogEntry): string {
  const fields = changes.map(({ field }) => field)
  const minute = timestamp.slice(0, MINUTE_LENGTH)
  return JSON.stringify([actor.id, action, resource.type, outcome, fields, minute])
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
  if (group && isBulk(row)) {
    const deeds = new Set(group.entries.map((entry) => deedOf(entry)))
    return deeds.size === 1 ? deedOf(group.entries[0]) : deedWithoutTarget(row)
  }
  const { before, name, after } = sentenceParts(row)
  if (name === '') return before
  return withoutObject(before) + after
}

/** The object of the sentence, or "803 devices"; empty if the sentence has none. */
export function objectOf(row: AuditRow): string {
  if (row.group && isBulk(row))
    return count(objectIdsOf(row.group.entries).size, codeLabel(row.resource.type).toLowerCase())
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
  if (isBulk(row)) return `${row.actor.name} ${deedOf(row)}: ${objectOf(row)}`
  const times = row.group ? `, ${row.group.entries.length} times` : ''
  return `${row.actor.name} ${sentenceOf(row)}${times}`
}
