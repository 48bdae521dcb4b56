import { useState } from 'react'
import type { Alarm } from '../alarm.ts'

interface Shown {
  view: string
  items: readonly Alarm[]
}

export interface PausedUpdates {
  items: readonly Alarm[]
  /** Alarms that have come since and are not shown yet. */
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
  current: boolean
): PausedUpdates {
  const [shown, setShown] = useState<Shown | null>(null)
  if (data && current && shown?.view !== view) setShown({ view, items: data })
  if (!data || shown?.view !== view) return { items: data ?? [], fresh: 0, show: () => {} }
  const latest = new Map(data.map((alarm) => [alarm.uuid, alarm]))
  const items = shown.items.map((alarm) => latest.get(alarm.uuid) ?? alarm)
  const known = new Set(shown.items.map(({ uuid }) => uuid))
  return {
    items,
    fresh: data.filter(({ uuid }) => !known.has(uuid)).length,
    show: () => setShown({ view, items: data })
  }
}
