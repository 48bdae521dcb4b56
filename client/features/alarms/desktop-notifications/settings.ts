// How this browser reports new alarms. The settings stay in the browser and hold for all its tabs.
import { useSyncExternalStore } from 'react'
import { createStore } from 'zustand/vanilla'
import { listen } from '../../../lib/browser.ts'
import { recall, remember } from '../../../lib/storage.ts'
import { BANDS } from '../priorities/bands.ts'

const KEY = 'portal.alarm-notifications'

export type FromPriority = (typeof BANDS)[number]['id']

export interface NotificationSettings {
  /** The least urgent band that is reported. */
  from: FromPriority
  desktop: boolean
  sound: boolean
  /** Until when nothing is reported, by the browser's clock; 0 if not muted. */
  mutedUntilMs: number
}

const OFF: NotificationSettings = { from: 'high', desktop: false, sound: false, mutedUntilMs: 0 }

const settings = createStore<NotificationSettings>(() => read())

function read(): NotificationSettings {
  return { ...OFF, ...recall<Partial<NotificationSettings>>(KEY) }
}

function follow(onChange: () => void): () => void {
  const unsubscribe = settings.subscribe(onChange)
  const stopListening = listen(window, {
    storage: ({ key }) => {
      if (key === KEY || key === null) settings.setState(read())
    }
  })
  return () => {
    unsubscribe()
    stopListening()
  }
}

export function useNotificationSettings(): NotificationSettings {
  return useSyncExternalStore(follow, settings.getState)
}

export function changeSettings(changes: Partial<NotificationSettings>): void {
  settings.setState(changes)
  remember(KEY, settings.getState())
}

export const isOn = ({ desktop, sound }: NotificationSettings): boolean => desktop || sound

export function isMuted({ mutedUntilMs }: NotificationSettings, nowMs: number): boolean {
  return nowMs < mutedUntilMs
}

/** The highest number of the priorities that are reported; 1 is the most urgent. */
export function priorityTo({ from }: NotificationSettings): number {
  return BANDS.find(({ id }) => id === from)?.to ?? BANDS[0].to
}

/** The start of the next day, by the browser's clock. */
export function tomorrowMs(nowMs: number): number {
  const day = new Date(nowMs)
  day.setHours(24, 0, 0, 0)
  return day.getTime()
}
