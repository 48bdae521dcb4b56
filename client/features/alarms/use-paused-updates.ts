import { useState } from 'react'
import type { Alarm } from './alarm.ts'

interface Shown {
  view: string
  items: readonly Alarm[]
  /** When they were looked at. */
  atMs: number
}

/** An alarm may reach the search as long after it was raised: late it still has to be offered. */
const LATE_MS = 60_000

export interface PausedUpdates {
  items: readonly Alarm[]
  /** Alarms raised since, not shown yet; an older one that moved up to this page is none. */
  fresh: number
  show: () => void
}

/**
 * Rows never move under the pointer: a refresh changes what they say, and what is new is offered. Another view (`view`
 * is its name) shows what it finds, once the data are its own (`current`) and not those of the one before.
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
  const known = new Set(shown.items.map(({ uuid }) => uuid))
  const sinceMs = shown.atMs - LATE_MS
  return {
    items,
    fresh: data.filter(({ uuid, timestamp }) => !known.has(uuid) && Date.parse(timestamp) > sinceMs).length,
    show: () => setShown({ view, items: data, atMs: nowMs() })
  }
}
