import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'
import type { DeviceOutcome } from '#shared/answers/points.ts'
import { REQUEST_PRIORITY } from '#shared/limits.ts'
import { ApiError, isOutcomeUnknown } from '../../lib/http/api-error.ts'
import { request } from '../../lib/http/request.ts'
import { readBack, waitFor } from '../../lib/read-back.ts'
import { byDevice, type DeviceAlarms, isUnacked, type ShownAck } from './alarm.ts'
import { readOpen } from './api.ts'

/** Statuses of a refusal by the device. Other failures mean that the command did not reach it. */
const REFUSALS = [404, 409]

export interface DeviceResult {
  deviceId: string
  /** Null if the device accepted the command. */
  refusal: string | null
  /** The answer was lost, and the alarms are still open. */
  unknown?: true
}

/** Sends a command to one device. Throws errors other than refusals. */
async function command(
  customerId: string,
  deviceId: string,
  name: string,
  body: object,
  isRefusal: (error: ApiError) => boolean
): Promise<DeviceResult> {
  try {
    await request(`/api/v1/control/devices/${encodeURIComponent(deviceId)}/commands/${name}`, {
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
  const results = await request<DeviceOutcome[]>('/api/v1/control/devices/commands/acknowledgeAlarmBatch', {
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

/** When to check whether the device has confirmed; after the last it counts as unconfirmed. */
const CHECKED_AFTER_MS = [3_000, 10_000, 30_000, 60_000]
const UNCONFIRMED_AFTER_MS = 60_000

interface Sent {
  alarm: Alarm
  atMs: number
}

const UNKNOWN = 'The answer was lost, and it has not been acknowledged so far.'

/** After a lost answer, the state of the alarms shows which devices accepted the command. */
async function acknowledgeOrReadBack(
  customerId: string,
  alarms: readonly Alarm[],
  onLost: () => void
): Promise<DeviceResult[]> {
  const devices = byDevice(alarms)
  try {
    return await acknowledge(customerId, devices)
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error
    onLost()
    const { last } = await readBack(
      () => readOpen(customerId, alarms),
      (open) => open.size === 0,
      (ms) => waitFor(ms)
    )
    return devices.map(({ deviceId, alarmUuids }) => {
      const taken = last !== null && !alarmUuids.some((uuid) => last.has(uuid))
      return taken ? { deviceId, refusal: null } : { deviceId, refusal: UNKNOWN, unknown: true }
    })
  }
}

/** Sends acknowledgements and shows them as pending until a search finds that the device confirmed them. */
export function useAcknowledgements(customerId: string, rows: readonly Alarm[], reload: () => void) {
  const [sent, setSent] = useState<ReadonlyMap<string, Sent>>(new Map())
  const [nowMs, setNow] = useState(() => performance.now())
  const check = useEffectEvent(() => {
    setNow(performance.now())
    reload()
  })

  const [last] = [...sent.values()].map(({ atMs }) => atMs).sort((a, b) => b - a)
  useEffect(() => {
    if (last === undefined) return
    const timers = CHECKED_AFTER_MS.map((ms) => setTimeout(() => check(), ms))
    return () => {
      for (const timer of timers) clearTimeout(timer)
    }
  }, [last])

  const confirmed = rows.filter(({ uuid, ackState }) => ackState === 'acked' && sent.has(uuid))
  if (confirmed.length > 0) {
    const next = new Map(sent)
    for (const { uuid } of confirmed) next.delete(uuid)
    setSent(next)
  }

  const ackOf = useCallback(
    ({ uuid, ackState }: Alarm): ShownAck => {
      const waiting = sent.get(uuid)
      if (ackState === 'acked' || !waiting) return ackState
      return nowMs - waiting.atMs >= UNCONFIRMED_AFTER_MS ? 'unconfirmed' : 'ackPending'
    },
    [sent, nowMs]
  )

  return {
    /** The state of an alarm's acknowledgement, including those that the device has not confirmed yet. */
    ackOf,
    /** Resolves to the devices that refused. Throws if nothing was sent. */
    async send(alarms: readonly Alarm[], onLost: () => void): Promise<DeviceResult[]> {
      const wanted = alarms.filter((alarm) => isUnacked(alarm))
      const atMs = performance.now()
      setNow(atMs)
      setSent(
        (before) => new Map([...before, ...wanted.map((alarm) => [alarm.uuid, { alarm, atMs }] as const)])
      )
      const takeBack = (gone: (alarm: Alarm) => boolean) =>
        setSent(
          (before) => new Map([...before].filter(([, { alarm, atMs: at }]) => at !== atMs || !gone(alarm)))
        )
      try {
        const results = await acknowledgeOrReadBack(customerId, wanted, onLost)
        const refused = new Set(results.filter(({ refusal }) => refusal).map(({ deviceId }) => deviceId))
        takeBack(({ deviceId }) => refused.has(deviceId))
        return results.filter(({ refusal }) => refusal !== null)
      } catch (error) {
        takeBack(() => true)
        throw error
      }
    }
  }
}
