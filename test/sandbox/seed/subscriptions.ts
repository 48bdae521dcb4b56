// Subscriptions of devices, with every combination of services and different end dates.
import type { OfferingCode } from '#shared/devices.ts'
import type { SubscriptionRecord } from '../records/sites.ts'
import type { Random } from './random.ts'

const DAY_MS = 86_400_000

// Every combination of services, assigned to the devices in turn.
const COMBINATIONS: OfferingCode[][] = [
  ['NDS', 'Remote', 'Recover'],
  ['NDS'],
  ['NDS', 'Remote'],
  ['Remote', 'Recover'],
  ['NDS', 'Recover'],
  [],
  ['Remote'],
  ['Recover']
]

const PLAN_LIMITS_GB = [5, 10, 25, 50, 100]

// Days until a subscription ends. One tenth has expired, one tenth ends within 7 days, one tenth within 8 to 30 days.
const SPANS: [from: number, days: number][] = [
  [-60, 55],
  [1, 6],
  [8, 22]
]
const OTHER_DAYS: [from: number, days: number] = [45, 900]

// Ages of subscriptions in days. Usage graphs differ for ages under 2 months, under 13 months, and above.
const AGES: [from: number, days: number][] = [
  [10, 45],
  [70, 300],
  [420, 900]
]

export function subscriptionsFor(
  deviceUuid: string,
  index: number,
  timeMs: number,
  random: Random
): SubscriptionRecord[] {
  const today = Math.floor(timeMs / DAY_MS) * DAY_MS
  const combination = COMBINATIONS[index % COMBINATIONS.length] ?? []
  return combination.map((offeringCode) => {
    const end = randomDays(SPANS[random.below(10)] ?? OTHER_DAYS, random)
    const age = randomDays(AGES[random.below(AGES.length)] ?? OTHER_DAYS, random)
    return {
      deviceUuid,
      offeringCode,
      startDate: new Date(today - Math.max(age, 30 - end) * DAY_MS).toISOString(),
      endDate: new Date(today + end * DAY_MS + DAY_MS / 2).toISOString(),
      ...(offeringCode === 'NDS' && { planLimit: random.pick(PLAN_LIMITS_GB) })
    }
  })
}

function randomDays([from, days]: [number, number], random: Random): number {
  return from + random.below(days)
}
