// The rows of the audit log's table. Entries share a row that can be opened: sign-ins and equal entries that follow each other, and
// what one person did to several objects of one kind within a minute, wherever a page ends.
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
    /** The number of entries on all pages; null while it is being read. */
    total: number | null
    /** Whether the group begins on an earlier page. */
    isContinued: boolean
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

/** The first entries of each group, from all pages, and how many it has. Keys are those of `minuteKeyOf`. */
export type WholeGroups = ReadonlyMap<string, Page<AuditLogEntry> | undefined>
const NO_GROUPS: WholeGroups = new Map()

/** The entries at the ends of a page whose minute may go on on the next page or the one before. */
export function cutEntriesOf({
  items,
  page
}: Page<AuditLogEntry>): Record<'first' | 'last', AuditLogEntry | null> {
  const first = page.number > 0 ? items[0] : undefined
  const last = page.number + 1 < page.totalPages ? items.at(-1) : undefined
  return {
    first: first && !isSignIn(first.action) ? first : null,
    last: last && !isSignIn(last.action) ? last : null
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
export function isBulk({ group }: Pick<AuditRow, 'group'>): boolean {
  return group !== undefined && isBulkGroup(group.entries)
}

const isBulkGroup = (entries: AuditGroup) => !isSignIn(entries[0].action) && objectIdsOf(entries).size > 1

/** Whether the row stands for entries of which no single one describes the others. */
export function isSummary(row: AuditRow): boolean {
  return isSignInGroup(row) || isBulk(row)
}

const objectIdsOf = (entries: readonly AuditLogEntry[]) => new Set(entries.map(({ resource }) => resource.id))

/**
 * The rows of a page of entries. `openGroups` has the choice of the person by the id of a group's first entry. The API
 * counts entries, so a full page can consist of few groups; these start open, so that no page is almost empty. Actions on
 * several objects start closed. `wholeGroups` has the minutes that the page cuts.
 */
export function rowsOf(
  entries: readonly AuditLogEntry[],
  pageSize: number,
  openGroups: ReadonlyMap<string, boolean>,
  wholeGroups: WholeGroups = NO_GROUPS
): AuditRow[] {
  const groups = groupsOf(entries)
  const startOpen = entries.length >= pageSize && groups.length < pageSize / 2
  const shownMinutes = new Set<string>()
  return groups.flatMap((onPage): AuditRow[] => {
    const minute = minuteKeyOf(onPage[0])
    if (shownMinutes.has(minute)) return []
    const found = wholeGroups.get(minute)
    const whole = wholeOf(found)
    if (whole) shownMinutes.add(minute)
    const group = whole ?? onPage
    const [first] = group
    if (group.length === 1) return [first]
    const isBulk = isBulkGroup(group)
    const isOpen = openGroups.get(first.id) ?? (startOpen && !isBulk)
    const isUnread = isBulk && wholeGroups.has(minute) && found === undefined
    const total = whole && found ? found.page.totalElements : group.length
    const isContinued = first.id !== onPage[0].id
    const members = group.map((entry): AuditRow => ({ ...entry, isMember: true }))
    const head = { ...first, group: { entries: group, isOpen, total: isUnread ? null : total, isContinued } }
    return [head, ...(isOpen ? members : [])]
  })
}

/** The entries of all pages, if they are one action on several objects. */
function wholeOf(found: Page<AuditLogEntry> | undefined): AuditGroup | null {
  const [first, ...others] = found?.items ?? []
  return first && isBulkGroup([first, ...others]) ? [first, ...others] : null
}

/**
 * Groups adjacent sign-ins with the same outcome, adjacent entries that differ only in time, id and request details, and what
 * one person did to objects of one kind within a minute of the clock.
 */
export function groupsOf(entries: readonly AuditLogEntry[]): AuditGroup[] {
  const groups: AuditGroup[] = []
  const groupsByMinute = new Map<string, AuditGroup>()
  for (const entry of entries) {
    const minute = minuteKeyOf(entry)
    const last = groups.at(-1)
    const ofMinute = groupsByMinute.get(minute)
    if (last && isRepeated(last, entry)) last.push(entry)
    else if (ofMinute && isBulkGroup([...ofMinute, entry])) ofMinute.push(entry)
    else {
      const group: AuditGroup = [entry]
      groups.push(group)
      groupsByMinute.set(minute, group)
    }
  }
  return groups
}

/** Whether the entry is one more sign-in, or equal to the entries before it. */
function isRepeated(group: AuditGroup, entry: AuditLogEntry): boolean {
  const last = group.at(-1) ?? group[0]
  if (isSignIn(entry.action)) return signInKeyOf(last) === signInKeyOf(entry)
  return equalKeyOf(last) === equalKeyOf(entry)
}

const signInKeyOf = ({ action, outcome }: AuditLogEntry) =>
  isSignIn(action) ? `sign-in ${outcome}` : 'no sign-in'

function equalKeyOf(entry: AuditLogEntry): string {
  const { actor, resource, customerId, outcome, changes = [] } = entry
  return JSON.stringify([actor.id, sentenceOf(entry), resource.id, customerId, outcome, changes])
}

/** Names what the entry's person did in the same way in the same minute; the same entries match `minuteFilter`. */
export function minuteKeyOf({ actor, action, resource, outcome, timestamp }: AuditLogEntry): string {
  const minute = timestamp.slice(0, MINUTE_LENGTH)
  return JSON.stringify([actor.id, action, resource.type, outcome, minute])
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
    const { entries } = group
    return (
      onlyOf(entries.map((entry) => deedOf(entry))) ??
      onlyOf(entries.map((entry) => deedWithoutTarget(entry))) ??
      deedWithoutTarget({ ...row, changes: [] })
    )
  }
  const { before, name, after } = sentenceParts(row)
  if (name === '') return before
  return withoutObject(before) + after
}

/** The text that all of them are; undefined if they differ. */
const onlyOf = (texts: readonly string[]) => (new Set(texts).size === 1 ? texts[0] : undefined)

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
