// Devices, points and alarms of the sandbox, and the addresses of devices and histories.
import type { DeviceRecord } from '#test/sandbox/records/sites.ts'
import { NOTABLE, NOTABLE_DEVICES } from '#test/sandbox/seed/notable.ts'
import { type Point, pointsOf } from '#test/sandbox/simulation/points.ts'
import type { Portal } from '#test/support/portal.ts'

export const NORTHWIND = `/customers/${NOTABLE.northwind}`

export function deviceOf(portal: Portal, name: keyof typeof NOTABLE_DEVICES): DeviceRecord {
  const device = portal.sandbox.state.devices.get(NOTABLE_DEVICES[name])
  if (!device) throw new Error(`the sandbox has no ${name}`)
  return device
}

export function pointOf(device: DeviceRecord, displayName: string): Point {
  const point = pointsOf(device).find((one) => one.displayName === displayName)
  if (!point) throw new Error(`${device.deviceName} has no ${displayName}`)
  return point
}

export const devicePath = ({ deviceUuid }: DeviceRecord, query = '') =>
  `${NORTHWIND}/devicedetails?deviceUuid=${deviceUuid}${query}`

export function historyPath(device: DeviceRecord, names: readonly string[], query = ''): string {
  const points = names.map((name) => `${device.deviceUuid}~${pointOf(device, name).cloudId}`)
  return `${NORTHWIND}/devicedetails/history?deviceUuid=${device.deviceUuid}&points=${points.join()}${query}`
}

export function raiseAlarm(
  portal: Portal,
  device: DeviceRecord,
  source: string,
  message: string,
  number = 1
): string {
  const uuid = `${device.deviceUuid.slice(0, 24)}${String(number).padStart(12, '0')}`
  portal.sandbox.state.addedAlarms.push({
    uuid,
    device,
    definition: { source, state: 'fault', alarmClass: 'HVAC', priority: 90, message },
    startMs: Date.now() - 60_000 - number * 1000,
    endMs: Date.now() + 86_400_000,
    acknowledgedMs: null,
    seed: number
  })
  return uuid
}
