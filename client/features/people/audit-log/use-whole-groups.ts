// What one person did within a minute is one row, wherever the pages of the log end: the minutes at the ends of a page are read
// whole, and paging goes past the pages that have nothing else.
import { useMemo } from 'react'
import type { AuditLogEntry } from '#shared/answers/management.ts'
import type { Page } from '#shared/answers/parts.ts'
import { PAGE_SIZE_MAX } from '#shared/limits.ts'
import { type ListQuery, pageNumber } from '../../../lib/use-list-query.ts'
import { useAuditEntries } from './api.ts'
import { cutEntriesOf, minuteFilter, minuteKeyOf, type WholeGroups } from './audit-rows.ts'
import type { AuditQuery, filterOf } from './filters.tsx'

type Entries = Page<AuditLogEntry>

interface CutGroups {
  wholeGroups: WholeGroups
  /** A query that goes past pages with nothing but a group that this page shows whole. */
  query: AuditQuery
}

/** @param entries the page shown; undefined until loaded */
export function useWholeGroups(
  organizationId: string | null,
  filter: ReturnType<typeof filterOf>,
  query: AuditQuery,
  entries: Entries | undefined
): CutGroups {
  const cuts = useMemo(() => entries && cutEntriesOf(entries), [entries])
  const first = useMinute(organizationId, filter, query, cuts?.first ?? null)
  const last = useMinute(organizationId, filter, query, cuts?.last ?? null)
  const wholeGroups = useMemo(() => {
    const groups = new Map<string, Entries | undefined>()
    if (cuts?.first) groups.set(minuteKeyOf(cuts.first), first.own)
    if (cuts?.last) groups.set(minuteKeyOf(cuts.last), last.own)
    return groups
  }, [cuts, first.own, last.own])
  return { wholeGroups, query: entries ? pagingPast(query, entries, first, last) : query }
}

interface Minute {
  /** The entries of the same group. */
  own: Entries | undefined
  /** Whether nothing else happened in this minute, so that these entries follow each other. */
  isAlone: boolean
}

/** The whole minute of an entry; a null entry reads nothing. */
function useMinute(
  organizationId: string | null,
  filter: ReturnType<typeof filterOf>,
  { values }: AuditQuery,
  entry: AuditLogEntry | null
): Minute {
  const minute = entry && minuteFilter(entry)
  const own = useAuditEntries(organizationId, minute && { ...filter, ...minute }, values.order, PAGE_SIZE_MAX)
  const hasMany = values.sort === 'timestamp' && (own?.items.length ?? 0) > 1
  const all = useAuditEntries(
    organizationId,
    hasMany && minute ? { ...filter, from: minute.from, to: minute.to } : null,
    values.order,
    1
  )
  return { own, isAlone: own !== undefined && own.page.totalElements === all?.page.totalElements }
}

function pagingPast(
  query: AuditQuery,
  { items, page: { number, size, totalPages } }: Entries,
  first: Minute,
  last: Minute
): ListQuery<AuditQuery['values']> {
  const indexOf = ({ own }: Minute, entry: AuditLogEntry | undefined) =>
    own?.items.findIndex(({ id }) => id === entry?.id) ?? -1
  const before = first.isAlone ? Math.max(indexOf(first, items[0]), 0) : 0
  const lastIndex = indexOf(last, items.at(-1))
  const after = last.isAlone && last.own && lastIndex >= 0 ? last.own.page.totalElements - 1 - lastIndex : 0
  return {
    ...query,
    change(values, corrects) {
      const target = values.page === undefined ? number : pageNumber(values.page)
      let to = target
      if (target === number - 1) to = Math.floor((number * size - Math.max(before, 1)) / size)
      if (target === number + 1)
        to = Math.min(Math.floor(((number + 1) * size + after) / size), totalPages - 1)
      query.change(to === target ? values : { ...values, page: String(to + 1) }, corrects)
    }
  }
}
