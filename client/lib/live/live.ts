// The state of this page's live stream, and the alarms that it last reported.
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
