// What the live stream of this page says at the moment.
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { AlarmsEvent } from '#shared/answers/events.ts'

interface Live {
  /** Whether changes arrive by themselves. Otherwise screens poll. */
  isLive: boolean
  /** The alarms that need action by customer, as last received. */
  alarms: ReadonlyMap<string, AlarmsEvent>
}

export const live = createStore<Live>(() => ({ isLive: false, alarms: new Map() }))

export const useIsLive = (): boolean => useStore(live, ({ isLive }) => isLive)

/** The interval for data that the stream reports: 0 while it does. */
export function usePollMs(pollMs: number): number {
  return useIsLive() ? 0 : pollMs
}

/** The number of a customer's alarms that need action; null while the stream does not say. */
export function useLiveCount(customerId: string | null): number | null {
  return useStore(live, ({ isLive, alarms }) =>
    isLive && customerId !== null ? (alarms.get(customerId)?.count ?? null) : null
  )
}

/** Stores the event, and returns the one before about the same customer. */
export function storeAlarms(event: AlarmsEvent): AlarmsEvent | undefined {
  const { alarms } = live.getState()
  live.setState({ alarms: new Map([...alarms, [event.customerId, event]]) })
  return alarms.get(event.customerId)
}

/** Forgets the alarms of another person or organization. */
export function forgetAlarms(): void {
  live.setState({ isLive: false, alarms: new Map() })
}
