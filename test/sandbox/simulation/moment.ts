// Weather and activity of a building at a time (UTC). All devices of a customer have the same weather.
import { chance, seedOf, wander, within } from './chance.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const EPOCH_WEEKDAY = 3

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
  const siteSeed = seedOf(device.customerId)
  const deviceSeed = seedOf(device.id)
  // One device in six serves rooms that are always in use, such as wards and server rooms.
  const isAlwaysOn = chance(deviceSeed, 1) < 1 / 6
  const startsAt = 5.5 + 2 * chance(deviceSeed, 2)
  const endsAt = 17 + 3 * chance(deviceSeed, 3)
  return (timeMs) => {
    const hours = timeMs / HOUR_MS
    const days = timeMs / DAY_MS
    const hour = hours % 24
    const season = -Math.cos((2 * Math.PI * (days - 20)) / 365.25)
    const warmth = Math.sin((2 * Math.PI * (hour - 10)) / 24)
    const weather = wander(siteSeed, days / 3)
    const outdoor =
      11 + 10.5 * season + (3 + 1.5 * season) * warmth + 5 * weather + 0.8 * wander(siteSeed + 1, hours / 4)
    const weekday = (Math.floor(days) + EPOCH_WEEKDAY) % 7
    const dayFactor = weekday < 5 ? 1 : weekday === 5 ? 0.35 : 0.12
    const dailyActivity = dayFactor * ramp(hour, startsAt, endsAt)
    return { timeMs, hours, outdoor, activity: isAlwaysOn ? 0.7 + 0.3 * dailyActivity : dailyActivity }
  }
}

// Rises from 0 to 1 after the start and falls before the end, within 1.5 hours each.
function ramp(hour: number, startsAt: number, endsAt: number): number {
  return within(0, 1, Math.min((hour - startsAt) / 1.5, (endsAt - hour) / 1.5))
}
