// Adds many alarms to Northwind's devices.
import { ALARMS_OF } from '../simulation/alarm-definitions.ts'
import { ALARMS_KEPT_MS, occurrence } from '../simulation/alarm-times.ts'
import { bits } from '../simulation/chance.ts'
import type { State } from '../state.ts'
import { withService } from '../upstreams/subscribed.ts'
import { NOTABLE } from './notable.ts'
import { randomFrom } from './random.ts'
import { startOfDay } from './sites.ts'

const DAY_MS = 86_400_000

export function addManyAlarms(state: State, count: number): void {
  const subscribed = withService(state, NOTABLE.northwind, 'NDS')
  const devices = state.devices.of(NOTABLE.northwind).filter((one) => subscribed.has(one.deviceUuid))
  const today = startOfDay(state.clock())
  const random = randomFrom(5150)
  for (let index = 0; index < count; index++) {
    const device = devices[index % devices.length] as (typeof devices)[number]
    const definition = random.pick(ALARMS_OF[device.equipment])
    // A day is left for a clock that goes on.
    const oldest = Math.max(today - ALARMS_KEPT_MS + DAY_MS, Date.parse(device.createdDate))
    const startMs = oldest + random.below(today - oldest)
    state.addedAlarms.add(occurrence(device, definition, startMs, bits(5150, index)))
  }
}
