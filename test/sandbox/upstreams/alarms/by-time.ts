// The alarms of a customer by the time they go off, kept from search to search: which there are follows from devices,
// subscriptions and time. How they stand is looked up by who asks.
import { between } from '../../records/by-time.ts'
import type { SubscriptionRecord } from '../../records/sites.ts'
import { ALARMS_KEPT_MS, type Occurrence, occurrencesBetween } from '../../simulation/alarm-times.ts'
import type { State } from '../../state.ts'
import { withService } from '../subscribed.ts'

/** Alarms are made this far ahead, so that a clock that goes on finds them. */
const AHEAD_MS = 3_600_000

interface Made {
  newestFirst: readonly Occurrence[]
  fromMs: number
  untilMs: number
  devices: number
  added: number
  subscriptions: SubscriptionRecord[] | undefined
}

const startOf = ({ startMs }: Occurrence): number => startMs

export function alarmsByTime(state: State): (customerId: string, timeMs: number) => Occurrence[] {
  const made = new Map<string, Made>()
  return (customerId, timeMs) => {
    const known = made.get(customerId)
    const alarms = known && holds(state, known, customerId, timeMs) ? known : make(state, customerId, timeMs)
    made.set(customerId, alarms)
    return between(alarms.newestFirst, startOf, timeMs - ALARMS_KEPT_MS, timeMs)
  }
}

function holds(state: State, made: Made, customerId: string, timeMs: number): boolean {
  return (
    timeMs >= made.fromMs &&
    timeMs <= made.untilMs &&
    made.devices === state.devices.version &&
    made.added === state.addedAlarms.size &&
    made.subscriptions === state.subscriptions.get(customerId)
  )
}

function make(state: State, customerId: string, timeMs: number): Made {
  const subscribed = withService(state, customerId, 'NDS')
  const untilMs = timeMs + AHEAD_MS
  return {
    newestFirst: state.devices
      .of(customerId)
      .filter((device) => subscribed.has(device.deviceUuid))
      .flatMap((device) => [
        ...occurrencesBetween(device, timeMs - ALARMS_KEPT_MS, untilMs),
        ...state.addedAlarms.of(device.id)
      ])
      .sort((a, b) => b.startMs - a.startMs),
    fromMs: timeMs,
    untilMs,
    devices: state.devices.version,
    added: state.addedAlarms.size,
    subscriptions: state.subscriptions.get(customerId)
  }
}
