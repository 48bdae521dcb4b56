import { REQUEST_PRIORITY } from '#shared/limits.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { request } from '../../lib/http/request.ts'
import { readBack, waitFor } from '../../lib/read-back.ts'
import { type Alarm, byDevice, type DeviceAlarms } from './alarm.ts'
import { readOpen } from './api.ts'

/** The device would not; anything else went wrong on the way to it. */
const REFUSALS = [404, 409]

export interface DeviceResult {
  deviceId: string
  /** Null when the device took the command. */
  refusal: string | null
  /** Nobody knows whether it took it: the answer was lost, and its alarms say nothing of it. */
  unknown?: true
}

interface BatchItem {
  deviceId?: string
  status?: string
  error?: string | null
}

/**
 * Asks devices to acknowledge alarms; what became of it shows in a later search. Throws an ApiError only when nothing
 * was sent.
 */
export async function acknowledge(
  customerId: string,
  devices: readonly DeviceAlarms[]
): Promise<DeviceResult[]> {
  const [only, ...others] = devices
  if (!only) return []
  const requestProcessingPriority = REQUEST_PRIORITY
  if (others.length === 0) {
    try {
      await request(
        `/api/v1/control/devices/${encodeURIComponent(only.deviceId)}/commands/acknowledgeAlarm`,
        {
          method: 'POST',
          customerId,
          body: { alarmUuids: only.alarmUuids, requestProcessingPriority }
        }
      )
      return [{ deviceId: only.deviceId, refusal: null }]
    } catch (error) {
      if (!(error instanceof ApiError) || !REFUSALS.includes(error.status)) throw error
      return [{ deviceId: only.deviceId, refusal: error.detail || error.title }]
    }
  }
  const results = await request<BatchItem[]>('/api/v1/control/devices/commands/acknowledgeAlarmBatch', {
    method: 'POST',
    customerId,
    body: devices.map((device) => ({ ...device, requestProcessingPriority }))
  })
  const told = new Map((Array.isArray(results) ? results : []).map((item) => [item.deviceId, item]))
  return devices.map(({ deviceId }) => {
    const item = told.get(deviceId)
    if (item?.status === 'OK') return { deviceId, refusal: null }
    return { deviceId, refusal: item?.error || 'The device gave no answer.' }
  })
}

/** As the alarms are long after anything may have come of it. */
const UNKNOWN = 'The answer was lost, and it has not been acknowledged so far.'

/** After an answer was lost: which devices took the command all the same, by how their alarms stand now. */
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

/** Adds a note to alarms, device by device; answers which devices refused. */
export async function addNote(
  customerId: string,
  devices: readonly DeviceAlarms[],
  notes: string
): Promise<DeviceResult[]> {
  return Promise.all(
    devices.map(async ({ deviceId, alarmUuids }) => {
      try {
        await request(`/api/v1/control/devices/${encodeURIComponent(deviceId)}/commands/editAlarmData`, {
          method: 'POST',
          customerId,
          body: {
            alarms: alarmUuids.map((uuid) => ({ uuid, notes })),
            requestProcessingPriority: REQUEST_PRIORITY
          }
        })
        return { deviceId, refusal: null }
      } catch (error) {
        if (error instanceof ApiError) return { deviceId, refusal: error.detail || error.title }
        throw error
      }
    })
  )
}
