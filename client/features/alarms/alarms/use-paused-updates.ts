import { useMemo, useState } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'
import { type ListDefaults, type ListQuery, pageNumber } from '../../../lib/use-list-query.ts'

interface ShownRows<A> {
  view: string
  joins: string
  items: readonly A[]
  /** The rows that were shown since the view was opened. */
  seen: ReadonlySet<string>
  atMs: number
}

/** Maximum delay until the search finds a new alarm. */
const LATE_MS = 60_000

export interface PausedUpdates<A> {
  items: readonly A[]
  /** The number of new alarms that are not shown yet. Older alarms that moved from the next page do not count. */
  fresh: number
  show: () => void
  /** The number of older alarms that moved from the next page, in the place of alarms that have left the list. */
  moved: number
  showMoved: () => void
  /** Rows that have left the list. Empty while new alarms may have moved rows to the next page. */
  gone: ReadonlySet<string>
}

const NO_UUIDS: ReadonlySet<string> = new Set()

interface PausedOptions<A> {
  /** Names the filters. A new view shows its rows once `current` is true. */
  view: string
  data: readonly A[] | undefined
  /** A new value shows all rows at once, unless the shown ones are in use. */
  joins?: string
  /** Whether the mouse or the focus is in the rows. */
  isInUse?: boolean
  current: boolean
  nowMs: () => number
}

/** Keeps rows in place: a refresh updates the shown rows and counts new ones. An empty view shows its first rows at once. */
export function usePausedUpdates<A extends Alarm>(options: PausedOptions<A>): PausedUpdates<A> {
  const { view, data, joins = '', isInUse = false, current, nowMs } = options
  const [shownRows, setShownRows] = useState<ShownRows<A> | null>(null)
  const showRows = (items: readonly A[], seenBefore: ReadonlySet<string>) => {
    const seen = new Set([...seenBefore, ...items.map(({ uuid }) => uuid)])
    setShownRows({ view, joins, items, seen, atMs: nowMs() })
  }
  const isOtherView = shownRows?.view !== view
  const isFirstRow = shownRows?.items.length === 0 && data?.length !== 0
  const isJoined = shownRows?.joins === joins
  if (data && current && (isOtherView || isFirstRow || !(isJoined || isInUse))) showRows(data, NO_UUIDS)
  const updates = useMemo(
    () => (data && shownRows?.view === view ? updatesOf(data, shownRows, isJoined) : null),
    [data, shownRows, view, isJoined]
  )
  if (!data || !shownRows || !updates)
    return { items: data ?? [], fresh: 0, show: () => {}, moved: 0, showMoved: () => {}, gone: NO_UUIDS }
  const { items, fresh, moved, gone } = updates
  return {
    items,
    fresh,
    show: () => showRows(data, NO_UUIDS),
    moved: moved.length,
    showMoved: () => showRows(moved, shownRows.seen),
    gone
  }
}

/** @param isJoined false if alarms of other customers wait, which are new here whenever they were raised */
function updatesOf<A extends Alarm>(
  data: readonly A[],
  { items, seen, atMs }: ShownRows<A>,
  isJoined: boolean
) {
  const latest = new Map(data.map((alarm) => [alarm.uuid, alarm]))
  const unseen = data.filter(({ uuid }) => !seen.has(uuid))
  const moved = unseen.filter(({ timestamp }) => isJoined && Date.parse(timestamp) <= atMs - LATE_MS)
  const fresh = unseen.length - moved.length
  const gone = fresh > 0 ? [] : items.filter(({ uuid }) => !latest.has(uuid))
  return {
    items: items.map((alarm) => latest.get(alarm.uuid) ?? alarm),
    fresh,
    moved,
    gone: new Set(gone.map(({ uuid }) => uuid))
  }
}

/** A query whose next page is first the alarms that moved to this page, so that paging neither skips nor repeats alarms. */
export function pagingThrough<View extends ListDefaults & { page: string }>(
  query: ListQuery<View>,
  { moved, showMoved }: Pick<PausedUpdates<unknown>, 'moved' | 'showMoved'>
): ListQuery<View> {
  const nextNumber = pageNumber(query.values.page) + 1
  return {
    ...query,
    change(values, corrects) {
      const isNext = values.page !== undefined && pageNumber(values.page) === nextNumber
      if (isNext && moved > 0) showMoved()
      else query.change(values, corrects)
    }
  }
}
