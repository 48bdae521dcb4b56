import { REQUEST_PRIORITY } from '#shared/limits.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { request } from '../../lib/http/request.ts'
import { readBack, waitFor } from '../../lib/read-back.ts'
import { type Alarm, byDevice, type DeviceAlarms } from './alarm.ts'
import { readOpen } from './api.ts'

/** Statuses by which a device refuses; others mean that the command did not reach it. */
const REFUSALS = [404, 409]

export interface DeviceResult {
  deviceId: string
  /** Null when the device took the command. */
  refusal: string | null
  /** The answer was lost, and its alarms are still open. */
  unknown?: true
}

interface BatchItem {
  deviceId?: string
  status?: string
  error?: string | null
}

const commandPath = (deviceId: string, name: string) =>
  `/api/v1/control/devices/${encodeURIComponent(deviceId)}/commands/${name}`

/** Sends a command to one device. Throws an error that is no refusal. */
async function command(
  customerId: string,
  deviceId: string,
  name: string,
  body: object,
  isRefusal: (error: ApiError) => boolean
): Promise<DeviceResult> {
  try {
    await request(commandPath(deviceId, name), {
      method: 'POST',
      customerId,
      body: { ...body, requestProcessingPriority: REQUEST_PRIORITY }
    })
    return { deviceId, refusal: null }
  } catch (error) {
    if (!(error instanceof ApiError) || !isRefusal(error)) throw error
    return { deviceId, refusal: error.detail || error.title }
  }
}

/** Asks devices to acknowledge alarms; a later search shows whether they did. Throws only if nothing was sent. */
export async function acknowledge(
  customerId: string,
  devices: readonly DeviceAlarms[]
): Promise<DeviceResult[]> {
  const [only, ...others] = devices
  if (!only) return []
  if (others.length === 0) {
    const { deviceId, alarmUuids } = only
    const refused = ({ status }: ApiError) => REFUSALS.includes(status)
    return [await command(customerId, deviceId, 'acknowledgeAlarm', { alarmUuids }, refused)]
  }
  const results = await request<BatchItem[]>('/api/v1/control/devices/commands/acknowledgeAlarmBatch', {
    method: 'POST',
    customerId,
    body: devices.map((device) => ({ ...device, requestProcessingPriority: REQUEST_PRIORITY }))
  })
  const answers = new Map((Array.isArray(results) ? results : []).map((item) => [item.deviceId, item]))
  return devices.map(({ deviceId }) => {
    const item = answers.get(deviceId)
    if (item?.status === 'OK') return { deviceId, refusal: null }
    return { deviceId, refusal: item?.error || 'The device gave no answer.' }
  })
}

const UNKNOWN = 'The answer was lost, and it has not been acknowledged so far.'

/** After a lost answer: which devices took the command, by the state of their alarms. */
export async function readBackAcknowledgement(
  customerId: string,
  alarms: readonly Alarm[]
): Promise<DeviceResult[]> {
  const { last } = await readBack(
    () => readOpen(customerId, alarms),
    (open) => open.size === 0,
    (ms) => waitFor(ms)
  )
  return byDevice(alarms).map(({ deviceId, alarmUuids }) => {
    const taken = last !== null && !alarmUuids.some((uuid) => last.has(uuid))
    return taken ? { deviceId, refusal: null } : { deviceId, refusal: UNKNOWN, unknown: true }
  })
}

/** Adds a note to alarms, device by device. */
export function addNote(
  customerId: string,
  devices: readonly DeviceAlarms[],
  notes: string
): Promise<DeviceResult[]> {
  return Promise.all(
    devices.map(({ deviceId, alarmUuids }) => {
      const alarms = alarmUuids.map((uuid) => ({ uuid, notes }))
      return command(customerId, deviceId, 'editAlarmData', { alarms }, () => true)
    })
  )
}
