import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'
import type { DeviceOutcome } from '#shared/answers/points.ts'
import { calls, type DeviceCommand } from '#shared/calls.ts'
import { REQUEST_PRIORITY } from '#shared/limits.ts'
import { ApiError, isOutcomeUnknown } from '../../../lib/http/api-error.ts'
import { request } from '../../../lib/http/request.ts'
import { useIsLive } from '../../../lib/live/live.ts'
import { byDevice, type DeviceAlarms, isUnacked, type ShownAck } from './alarm.ts'

/** Statuses with which a device refuses a command. */
const REFUSALS = [404, 409]

export interface Refusal {
  deviceId: string
  reason: string
}

/** Sends a command to one device and returns the device's refusal, if any. Throws other errors. */
async function command(
  customerId: string,
  deviceId: string,
  name: DeviceCommand,
  body: object,
  isRefusal: (error: ApiError) => boolean
): Promise<Refusal[]> {
  try {
    await request(calls.command(deviceId, name), {
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

/** Asks devices to acknowledge alarms. A later search shows whether a device acknowledged its alarms. */
async function acknowledge(customerId: string, devices: readonly DeviceAlarms[]): Promise<Refusal[]> {
  const [firstDevice, ...otherDevices] = devices
  if (!firstDevice) return []
  if (otherDevices.length === 0) {
    const { deviceId, alarmUuids } = firstDevice
    const isRefusal = ({ status }: ApiError) => REFUSALS.includes(status)
    return command(customerId, deviceId, 'acknowledgeAlarm', { alarmUuids }, isRefusal)
  }
  const results = await request<DeviceOutcome[]>(calls.acknowledgeAlarms, {
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

const UNCONFIRMED_AFTER_MS = 60_000
/** Delays after which the list is reloaded, to look for the device's confirmation. */
const CHECK_DELAYS_MS = [3_000, 10_000, 30_000, UNCONFIRMED_AFTER_MS]
/** The live stream reports confirmations, except those of alarms beyond the newest 100 that stay active. */
const LIVE_CHECK_DELAYS_MS = [5_000, UNCONFIRMED_AFTER_MS]

/** Sends acknowledgements and shows them as pending until a search finds that the device confirmed them. */
export function useAcknowledgements(customerId: string, reload: () => void) {
  /** Send time of each acknowledgement, by alarm UUID. */
  const [sentTimes, setSentTimes] = useState<ReadonlyMap<string, number>>(new Map())
  const [nowMs, setNow] = useState(() => performance.now())
  const check = useEffectEvent(() => {
    setNow(performance.now())
    reload()
  })

  const isLive = useIsLive()
  const lastMs = Math.max(0, ...sentTimes.values())
  useEffect(() => {
    if (lastMs === 0) return
    const delays = isLive ? LIVE_CHECK_DELAYS_MS : CHECK_DELAYS_MS
    const timers = delays.map((ms) => setTimeout(() => check(), ms))
    return () => {
      for (const timer of timers) clearTimeout(timer)
    }
  }, [lastMs, isLive])

  const ackOf = useCallback(
    ({ uuid, ackState }: Alarm): ShownAck => {
      const atMs = sentTimes.get(uuid)
      if (ackState === 'acked' || atMs === undefined) return ackState
      return nowMs - atMs >= UNCONFIRMED_AFTER_MS ? 'unconfirmed' : 'ackPending'
    },
    [sentTimes, nowMs]
  )

  return {
    /** The displayed state of an alarm's acknowledgement. */
    ackOf,
    /** Resolves to the refusals, or to null if the answer was lost. Throws if nothing was sent. */
    async send(alarms: readonly Alarm[]): Promise<Refusal[] | null> {
      const unacked = alarms.filter(isUnacked)
      const atMs = performance.now()
      setNow(atMs)
      setSentTimes((before) => new Map([...before, ...unacked.map(({ uuid }) => [uuid, atMs] as const)]))
      const takeBack = (failedAlarms: readonly Alarm[]) => {
        const uuids = failedAlarms.map(({ uuid }) => uuid)
        setSentTimes((before) => new Map([...before].filter(([uuid]) => !uuids.includes(uuid))))
      }
      try {
        const refusals = await acknowledge(customerId, byDevice(unacked))
        takeBack(unacked.filter((alarm) => refusals.some(({ deviceId }) => deviceId === alarm.deviceId)))
        return refusals
      } catch (error) {
        if (isOutcomeUnknown(error)) return null
        takeBack(unacked)
        throw error
      }
    }
  }
}
