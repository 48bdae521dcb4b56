// The status flags of a point, in the words of the station: `ok` alone, or all that is the matter.
import { chance, seedOf } from '../../simulation/chance.ts'
import type { Point } from '../../simulation/points.ts'
import { isOffline, writeInForce } from '../../simulation/values.ts'
import type { State } from '../../state.ts'
import { openAlarmsOf } from '../alarms/records.ts'

export function statusOf(state: State, point: Point, timeMs: number): string[] {
  const { seed, device, displayName, cloudId } = point
  const alarms = openAlarmsOf(state, device, timeMs).filter((one) => one.sourceName === displayName)
  const flags = [
    ...(chance(seed, 31) < 0.004 ? ['fault'] : []),
    ...(isOffline(seedOf(device.deviceUuid)) ? ['down', 'stale'] : []),
    ...(alarms.some((one) => one.sourceState !== 'normal') ? ['alarm'] : []),
    ...(alarms.some((one) => one.ackState !== 'acked') ? ['unackedAlarm'] : []),
    ...(writeInForce(state.pointWrites, cloudId, timeMs) === null ? [] : ['overridden'])
  ]
  return flags.length > 0 ? flags : ['ok']
}
