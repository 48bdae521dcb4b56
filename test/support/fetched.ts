// What an upstream's lists become, without an upstream.
import { type OwnedSubscription, toDevice, toSubscription } from '#server/inventory/records.ts'
import type { Device } from '#shared/entities.ts'

/** A device whose uuid is made of its id. */
export function fetchedDevice(id: string, projectName: string | null, more: Partial<Device> = {}): Device {
  return toDevice({ id, deviceUuid: `uuid-${id}`, deviceName: id, projectName, ...more })
}

/** Of the device that `fetchedDevice` makes of that id. */
export function owned(deviceId: string, offeringCode: string): OwnedSubscription {
  return toSubscription({
    deviceUuid: `uuid-${deviceId}`,
    offeringCode,
    startDate: '2030-01-01T00:00:00Z',
    endDate: '2031-01-01T00:00:00Z'
  })
}

/** As it comes over the wire, in pieces that end anywhere. */
export function piecesOf(body: unknown, bytes = 1000): ArrayBuffer[] {
  const whole = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
  const count = Math.ceil(whole.length / bytes)
  return Array.from({ length: count }, (_, at) => whole.slice(at * bytes, (at + 1) * bytes).buffer)
}
