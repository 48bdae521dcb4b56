import { useState } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'

interface ShownRows<A> {
  view: string
  items: readonly A[]
  atMs: number
}

/** Maximum delay until the search finds a new alarm. */
const LATE_MS = 60_000

export interface PausedUpdates<A> {
  items: readonly A[]
  /** The number of new alarms that are not shown yet. Older alarms that moved from the next page do not count. */
  fresh: number
  show: () => void
}

/**
 * Keeps rows in place: a refresh updates the shown rows and counts new ones. A new `view` shows its rows once
 * `current` is true, an empty one its first rows at once.
 */
export function usePausedUpdates<A extends Alarm>(
  view: string,
  data: readonly A[] | undefined,
  current: boolean,
  nowMs: () => number
): PausedUpdates<A> {
  const [shownRows, setShownRows] = useState<ShownRows<A> | null>(null)
  const isOtherView = shownRows?.view !== view
  const isFirstRow = shownRows?.items.length === 0 && data?.length !== 0
  if (data && current && (isOtherView || isFirstRow)) setShownRows({ view, items: data, atMs: nowMs() })
  if (!data || shownRows?.view !== view) return { items: data ?? [], fresh: 0, show: () => {} }
  const latest = new Map(data.map((alarm) => [alarm.uuid, alarm]))
  const items = shownRows.items.map((alarm) => latest.get(alarm.uuid) ?? alarm)
  const shownUuids = new Set(shownRows.items.map(({ uuid }) => uuid))
  const sinceMs = shownRows.atMs - LATE_MS
  return {
    items,
    fresh: data.filter(({ uuid, timestamp }) => !shownUuids.has(uuid) && Date.parse(timestamp) > sinceMs)
      .length,
    show: () => setShownRows({ view, items: data, atMs: nowMs() })
  }
}
