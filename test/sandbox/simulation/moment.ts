// Weather and activity of a building at a time (UTC). All devices of a customer have the same weather.
import { chance, seedOf, wander, within } from './chance.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FIRST_WEEKDAY = 3

export interface Moment {
  timeMs: number
  /** Hours since the epoch. */
  hours: number
  /** Outdoor temperature, °C. */
  outdoor: number
  /** Activity in the building, from 0 at night to 1 at noon of a working day. */
  activity: number
}

export function momentsOf(device: { id: string; customerId: string }): (timeMs: number) => Moment {
  const site = seedOf(device.customerId)
  const own = seedOf(device.id)
  // One device in six serves rooms that are always in use, such as wards and server rooms.
  const alwaysOn = chance(own, 1) < 1 / 6
  const startsAt = 5.5 + 2 * chance(own, 2)
  const endsAt = 17 + 3 * chance(own, 3)
  return (timeMs) => {
    const hours = timeMs / HOUR_MS
    const days = timeMs / DAY_MS
    const hour = hours % 24
    const season = -Math.cos((2 * Math.PI * (days - 20)) / 365.25)
    const warmth = Math.sin((2 * Math.PI * (hour - 10)) / 24)
    const spell = wander(site, days / 3)
    const outdoor =
      11 + 10.5 * season + (3 + 1.5 * season) * warmth + 5 * spell + 0.8 * wander(site + 1, hours / 4)
    const weekday = (Math.floor(days) + FIRST_WEEKDAY) % 7
    const day = weekday < 5 ? 1 : weekday === 5 ? 0.35 : 0.12
    const working = day * ramp(hour, startsAt, endsAt)
    return { timeMs, hours, outdoor, activity: alwaysOn ? 0.7 + 0.3 * working : working }
  }
}

// Rises and falls within 1.5 hours each.
function ramp(hour: number, startsAt: number, endsAt: number): number {
  return within(0, 1, Math.min((hour - startsAt) / 1.5, (endsAt - hour) / 1.5))
}
