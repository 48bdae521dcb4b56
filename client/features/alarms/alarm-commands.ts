import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'
import type { DeviceOutcome } from '#shared/answers/points.ts'
import { REQUEST_PRIORITY } from '#shared/limits.ts'
import { ApiError, isOutcomeUnknown } from '../../lib/http/api-error.ts'
import { request } from '../../lib/http/request.ts'
import { byDevice, type DeviceAlarms, isUnacked, type ShownAck } from './alarm.ts'

/** Statuses with which a device refuses a command. */
const REFUSALS = [404, 409]

export interface Refusal {
  deviceId: string
  reason: string
}

/** Sends a command to one device, which may refuse it. Throws other errors. */
async function command(
  customerId: string,
  deviceId: string,
  name: string,
  body: object,
  isRefusal: (error: ApiError) => boolean
): Promise<Refusal[]> {
  try {
    await request(`/api/v1/control/devices/${encodeURIComponent(deviceId)}/commands/${name}`, {
      method: 'POST',
      customerId,
      body: { ...body, requestProcessingPriority: REQUEST_PRIORITY }
    })
    return []
  } catch (error) {
    if (!(error instanceof ApiError) || !isRefusal(error)) throw error
    return [{ deviceId, reason: error.detail || error.title }]
  }
}

/** Asks devices to acknowledge alarms; a later search shows whether they did. */
async function acknowledge(customerId: string, devices: readonly DeviceAlarms[]): Promise<Refusal[]> {
  const [only, ...others] = devices
  if (!only) return []
  if (others.length === 0) {
    const { deviceId, alarmUuids } = only
    const refused = ({ status }: ApiError) => REFUSALS.includes(status)
    return command(customerId, deviceId, 'acknowledgeAlarm', { alarmUuids }, refused)
  }
  const results = await request<DeviceOutcome[]>('/api/v1/control/devices/commands/acknowledgeAlarmBatch', {
    method: 'POST',
    customerId,
    body: devices.map((device) => ({ ...device, requestProcessingPriority: REQUEST_PRIORITY }))
  })
  const answers = new Map(results.map((item) => [item.deviceId, item]))
  return devices.flatMap(({ deviceId }) => {
    const item = answers.get(deviceId)
    return item?.status === 'OK' ? [] : [{ deviceId, reason: item?.error || 'The device gave no answer.' }]
  })
}

export async function addNote(
  customerId: string,
  devices: readonly DeviceAlarms[],
  notes: string
): Promise<Refusal[]> {
  const refusals = devices.map(({ deviceId, alarmUuids }) => {
    const alarms = alarmUuids.map((uuid) => ({ uuid, notes }))
    return command(customerId, deviceId, 'editAlarmData', { alarms }, () => true)
  })
  return (await Promise.all(refusals)).flat()
}

/** Delays until the list is searched for the device's confirmation. */
const CHECKED_AFTER_MS = [3_000, 10_000, 30_000, 60_000]
const UNCONFIRMED_AFTER_MS = 60_000

/** Sends acknowledgements and shows them as pending until a search finds that the device confirmed them. */
export function useAcknowledgements(customerId: string, reload: () => void) {
  /** Send time of each acknowledgement, by alarm. */
  const [sent, setSent] = useState<ReadonlyMap<string, number>>(new Map())
  const [nowMs, setNow] = useState(() => performance.now())
  const check = useEffectEvent(() => {
    setNow(performance.now())
    reload()
  })

  const lastMs = Math.max(0, ...sent.values())
  useEffect(() => {
    if (lastMs === 0) return
    const timers = CHECKED_AFTER_MS.map((ms) => setTimeout(() => check(), ms))
    return () => {
      for (const timer of timers) clearTimeout(timer)
    }
  }, [lastMs])

  const ackOf = useCallback(
    ({ uuid, ackState }: Alarm): ShownAck => {
      const atMs = sent.get(uuid)
      if (ackState === 'acked' || atMs === undefined) return ackState
      return nowMs - atMs >= UNCONFIRMED_AFTER_MS ? 'unconfirmed' : 'ackPending'
    },
    [sent, nowMs]
  )

  return {
    /** The displayed state of an alarm's acknowledgement. */
    ackOf,
    /** Resolves to the refusals, or to null if the answer was lost. Throws if nothing was sent. */
    async send(alarms: readonly Alarm[]): Promise<Refusal[] | null> {
      const wanted = alarms.filter(isUnacked)
      const atMs = performance.now()
      setNow(atMs)
      setSent((before) => new Map([...before, ...wanted.map(({ uuid }) => [uuid, atMs] as const)]))
      const takeBack = (gone: readonly Alarm[]) => {
        const uuids = gone.map(({ uuid }) => uuid)
        setSent((before) => new Map([...before].filter(([uuid]) => !uuids.includes(uuid))))
      }
      try {
        const refusals = await acknowledge(customerId, byDevice(wanted))
        takeBack(wanted.filter((alarm) => refusals.some(({ deviceId }) => deviceId === alarm.deviceId)))
        return refusals
      } catch (error) {
        if (isOutcomeUnknown(error)) return null
        takeBack(wanted)
        throw error
      }
    }
  }
}
