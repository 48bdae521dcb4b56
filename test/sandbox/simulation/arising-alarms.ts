// Alarms that arise while the sandbox runs, return to normal after minutes and are acknowledged by the simulated staff. The
// seed and the clock decide about each, so that they are the same on every machine.
import type { DeviceRecord } from '../records/sites.ts'
import type { State } from '../state.ts'
import { withService } from '../upstreams/subscribed.ts'
import type { Occurrence } from './alarm-times.ts'
import { bits, chance } from './chance.ts'
import { EQUIPMENT_OF } from './equipment.ts'

const SEED = 0xa1a25
const MINUTE_MS = 60_000
/** Maximum number of alarms that arise at once after the clock was set ahead. */
const CATCH_UP_MAX = 2_000

/** Lets all alarms arise that were due since the start. Returns those of a device. */
export function arisenAlarmsOf(state: State, device: DeviceRecord, timeMs: number): readonly Occurrence[] {
  if (state.alarmPaceMs === 0) return []
  const due = Math.floor((timeMs - state.startedMs) / state.alarmPaceMs)
  const { arisen } = state
  for (let number = Math.max(arisen.count, due - CATCH_UP_MAX) + 1; number <= due; number += 1) {
    const occurrence = arisingAlarm(state, number)
    if (occurrence === null) continue
    const list = arisen.byDevice.get(occurrence.device.id) ?? []
    arisen.byDevice.set(occurrence.device.id, [...list, occurrence])
  }
  arisen.count = Math.max(arisen.count, due)
  return (arisen.byDevice.get(device.id) ?? []).filter(({ startMs }) => startMs <= timeMs)
}

/** The alarm of this number, at a device with data services of any customer. */
function arisingAlarm(state: State, number: number): Occurrence | null {
  const seed = bits(SEED, number)
  const customers = [...state.organizations.values()].filter(
    ({ id }) => withService(state, id, 'NDS').size > 0
  )
  const customer = customers[bits(seed, 1) % customers.length]
  if (!customer) return null
  const served = withService(state, customer.id, 'NDS')
  const devices = state.devices
    .of(customer.id)
    .filter(
      ({ deviceUuid, equipment }) => served.has(deviceUuid) && EQUIPMENT_OF[equipment].alarms.length > 0
    )
  const device = devices[bits(seed, 2) % devices.length]
  if (!device) return null
  const definitions = EQUIPMENT_OF[device.equipment].alarms
  const definition = definitions[bits(seed, 3) % definitions.length]
  if (!definition) return null
  const startMs = state.startedMs + number * state.alarmPaceMs
  return {
    uuid: `${device.deviceUuid.slice(0, 24)}a${number.toString(16).padStart(11, '0')}`,
    device,
    definition,
    startMs,
    endMs: Math.round(startMs + (2 + 18 * chance(seed, 4)) * MINUTE_MS),
    acknowledgedMs: Math.round(startMs + (1 + 29 * chance(seed, 5)) * MINUTE_MS),
    seed
  }
}
