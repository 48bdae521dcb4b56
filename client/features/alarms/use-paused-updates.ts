import { useState } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'

interface Shown {
  view: string
  items: readonly Alarm[]
  atMs: number
}

/** Maximum delay until the search finds a new alarm. */
const LATE_MS = 60_000

export interface PausedUpdates {
  items: readonly Alarm[]
  /** The number of new alarms that are not shown yet. Older alarms that moved from the next page do not count. */
  fresh: number
  show: () => void
}

/**
 * Keeps rows in place: a refresh updates the shown rows and counts new ones. A new `view` shows its rows once
 * `current` is true.
 */
export function usePausedUpdates(
  view: string,
  data: readonly Alarm[] | undefined,
  current: boolean,
  nowMs: () => number
): PausedUpdates {
  const [shown, setShown] = useState<Shown | null>(null)
  if (data && current && shown?.view !== view) setShown({ view, items: data, atMs: nowMs() })
  if (!data || shown?.view !== view) return { items: data ?? [], fresh: 0, show: () => {} }
  const latest = new Map(data.map((alarm) => [alarm.uuid, alarm]))
  const items = shown.items.map((alarm) => latest.get(alarm.uuid) ?? alarm)
  const shownUuids = new Set(shown.items.map(({ uuid }) => uuid))
  const sinceMs = shown.atMs - LATE_MS
  return {
    items,
    fresh: data.filter(({ uuid, timestamp }) => !shownUuids.has(uuid) && Date.parse(timestamp) > sinceMs)
      .length,
    show: () => setShown({ view, items: data, atMs: nowMs() })
  }
}
