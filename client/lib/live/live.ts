// The state of this page's live stream, and the alarms that it last reported.
import { useMemo } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { AlarmsEvent } from '#shared/answers/events.ts'

interface Live {
  /** `live`: changes arrive by themselves. Otherwise screens poll; while `connecting`, a stream may still be opened. */
  state: 'connecting' | 'live' | 'polling'
  /** The alarms that need action by customer, as last received. */
  alarms: ReadonlyMap<string, AlarmsEvent>
}

export const live = createStore<Live>(() => ({ state: 'connecting', alarms: new Map() }))

export const useIsLive = (): boolean => useStore(live, ({ state }) => state === 'live')

/** The interval for data that the stream reports: 0 while it does. */
export function usePollMs(pollMs: number): number {
  return useIsLive() ? 0 : pollMs
}

/** The number of a customer's alarms that need action; null while the stream does not say. */
export function useLiveCount(customerId: string | null): number | null {
  return useStore(live, ({ state, alarms }) =>
    state === 'live' && customerId !== null ? (alarms.get(customerId)?.count ?? null) : null
  )
}

interface Late {
  /** Since when the alarms could not be read as often as they should: the earliest time. */
  since: string
  /** False if others of the customers are on time. */
  areAll: boolean
}

/**
 * Since when alarms are late; null if they are not, and while the stream does not say.
 * @param customerId null for all customers
 */
export function useLateSince(customerId: string | null): Late | null {
  const events = useStore(live, ({ state, alarms }) => (state === 'live' ? alarms : NONE))
  return useMemo(() => lateSince([...events.values()], customerId), [events, customerId])
}

const NONE: Live['alarms'] = new Map()

function lateSince(events: readonly AlarmsEvent[], customerId: string | null): Late | null {
  const shown = events.filter((event) => customerId === null || event.customerId === customerId)
  const times = shown.flatMap(({ delayedSince }) => delayedSince ?? [])
  const [since] = times.sort()
  return since === undefined ? null : { since, areAll: times.length === shown.length }
}

/** Stores the event, and returns the one before about the same customer. */
export function storeAlarms(event: AlarmsEvent): AlarmsEvent | undefined {
  const { alarms } = live.getState()
  live.setState({ alarms: new Map([...alarms, [event.customerId, event]]) })
  return alarms.get(event.customerId)
}

/** Forgets the alarms of another person or organization, or of other roles. */
export function forgetAlarms(): void {
  live.setState({ alarms: new Map() })
}
