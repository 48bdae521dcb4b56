import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'
import type { DeviceOutcome } from '#shared/answers/points.ts'
import { calls, type DeviceCommand } from '#shared/calls.ts'
import { ApiError, isOutcomeUnknown } from '../../../lib/http/api-error.ts'
import { useMutation } from '../../../lib/http/mutation.ts'
import { request } from '../../../lib/http/request.ts'
import { REQUEST_PRIORITY } from '../../../lib/limits.ts'
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

/** Asks devices of a customer to acknowledge alarms. A later search shows whether a device acknowledged its alarms. */
async function acknowledge(customerId: string, devices: readonly DeviceAlarms[]): Promise<Refusal[]> {
  const [firstDevice, ...otherDevices] = devices
  if (!firstDevice) return []
  if (otherDevices.length === 0) {
    const { deviceId, alarmUuids } = firstDevice
    const isRefusal = ({ status }: ApiError) => REFUSALS.includes(status)
    return command(customerId, deviceId, 'acknowledgeAlarm', { alarmUuids }, isRefusal)
  }
  const outcomes = await request<DeviceOutcome[]>(calls.acknowledgeAlarms, {
    method: 'POST',
    customerId,
    body: devices.map((device) => ({ ...device, requestProcessingPriority: REQUEST_PRIORITY }))
  })
  const outcomeById = new Map(outcomes.map((outcome) => [outcome.deviceId, outcome]))
  return devices.flatMap(({ deviceId }) => {
    const outcome = outcomeById.get(deviceId)
    if (outcome?.status === 'OK') return []
    return [{ deviceId, reason: outcome?.error || 'The device gave no answer.' }]
  })
}

export interface CommandResult {
  refusals: Refusal[]
  /** Whether the answer was lost: the devices may have carried out the command. */
  isLost: boolean
}

/** The result of commands. Throws if nothing was sent. */
export async function resultOf(sending: Promise<Refusal[]>): Promise<CommandResult> {
  try {
    return { refusals: await sending, isLost: false }
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error
    return { refusals: [], isLost: true }
  }
}

/** The alarms whose devices refused. */
export function refusedOf<A extends Alarm>(alarms: readonly A[], refusals: readonly Refusal[]): A[] {
  const refusingIds = new Set(refusals.map(({ deviceId }) => deviceId))
  return alarms.filter(({ deviceId }) => refusingIds.has(deviceId))
}

/** Maximum number of alarms in one call, so that progress shows and Stop stops soon. */
export const ALARMS_PER_CALL = 200

export interface Batch<A extends Alarm> {
  customerId: string
  alarms: A[]
}

/** Alarms of one customer each, at most ALARMS_PER_CALL, those of a device together as far as possible. */
export function batchesOf<A extends Alarm>(
  alarms: readonly A[],
  customerIdOf: (alarm: A) => string
): Batch<A>[] {
  const byCustomer = Map.groupBy(alarms, customerIdOf)
  return [...byCustomer].flatMap(([customerId, customerAlarms]) => {
    const sorted = customerAlarms.toSorted((a, b) => a.deviceId.localeCompare(b.deviceId))
    const batches: Batch<A>[] = []
    for (let from = 0; from < sorted.length; from += ALARMS_PER_CALL)
      batches.push({ customerId, alarms: sorted.slice(from, from + ALARMS_PER_CALL) })
    return batches
  })
}

export async function addNote<A extends Alarm>(
  alarms: readonly A[],
  customerIdOf: (alarm: A) => string,
  notes: string
): Promise<CommandResult> {
  const isRefusal = (error: ApiError) => !isOutcomeUnknown(error)
  const sendings = [...Map.groupBy(alarms, customerIdOf)].flatMap(([customerId, customerAlarms]) =>
    byDevice(customerAlarms).map(({ deviceId, alarmUuids }) => {
      const entries = alarmUuids.map((uuid) => ({ uuid, notes }))
      return resultOf(command(customerId, deviceId, 'editAlarmData', { alarms: entries }, isRefusal))
    })
  )
  const results = await Promise.all(sendings)
  return {
    refusals: results.flatMap(({ refusals }) => refusals),
    isLost: results.some(({ isLost }) => isLost)
  }
}

const UNCONFIRMED_AFTER_MS = 60_000
/** Delays after which the list is reloaded, to look for the device's confirmation. */
const CHECK_DELAYS_MS = [3_000, 10_000, 30_000, UNCONFIRMED_AFTER_MS]
/** The live stream reports confirmations, except those of alarms beyond the newest 100 that stay active. */
const LIVE_CHECK_DELAYS_MS = [5_000, UNCONFIRMED_AFTER_MS]

export interface SendOptions {
  /** Called with the number of alarms whose call has ended. */
  onProgress?: (sentCount: number) => void
  /** Stops before the next call. */
  signal?: AbortSignal
}

export interface SendResult<A extends Alarm> {
  refusals: Refusal[]
  /** Alarms that were not sent, because the person stopped. */
  unsent: readonly A[]
  /** Whether the answer to a call was lost: the device may have acknowledged. */
  isLost: boolean
}

export interface Acknowledgements<A extends Alarm> {
  /** The displayed state of an alarm's acknowledgement. */
  ackOf: (alarm: Alarm) => ShownAck
  /** Sends the alarms that are not acknowledged, a few hundred at a time. Throws if the first call cannot be sent. */
  send: (alarms: readonly A[], options?: SendOptions) => Promise<SendResult<A>>
}

/**
 * Sends acknowledgements and shows them as pending until a search finds that the device confirmed them.
 * @param gone alarms that have left the list, if only acknowledged alarms leave it
 */
export function useAcknowledgements<A extends Alarm>(
  customerIdOf: (alarm: A) => string,
  reload: () => void,
  gone?: ReadonlySet<string>
): Acknowledgements<A> {
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
      if (gone?.has(uuid)) return 'acked'
      return nowMs - atMs >= UNCONFIRMED_AFTER_MS ? 'unconfirmed' : 'ackPending'
    },
    [sentTimes, nowMs, gone]
  )

  const takeBack = (alarms: readonly Alarm[]) => {
    const uuids = new Set(alarms.map(({ uuid }) => uuid))
    setSentTimes((before) => new Map([...before].filter(([uuid]) => !uuids.has(uuid))))
  }
  const { mutateAsync: sendBatch } = useMutation({
    mutationFn: ({ customerId, alarms }: Batch<A>) => resultOf(acknowledge(customerId, byDevice(alarms))),
    onMutate({ alarms }) {
      const atMs = performance.now()
      setNow(atMs)
      setSentTimes((before) => new Map([...before, ...alarms.map(({ uuid }) => [uuid, atMs] as const)]))
      return () => takeBack(alarms)
    },
    onSuccess: ({ refusals }, { alarms }) => takeBack(refusedOf(alarms, refusals))
  })

  return {
    ackOf,
    async send(alarms, { onProgress, signal } = {}) {
      const result = { refusals: [] as Refusal[], isLost: false }
      const batches = batchesOf(alarms.filter(isUnacked), customerIdOf)
      let sentCount = 0
      for (const [index, batch] of batches.entries()) {
        const unsent = () => batches.slice(index).flatMap((waiting) => waiting.alarms)
        if (signal?.aborted) return { ...result, unsent: unsent() }
        try {
          const { refusals, isLost } = await sendBatch(batch)
          result.refusals.push(...refusals)
          result.isLost ||= isLost
        } catch (error) {
          if (index === 0) throw error
          // Earlier calls have been sent: the rest can be tried again.
          return { ...result, unsent: unsent() }
        }
        sentCount += batch.alarms.length
        onProgress?.(sentCount)
      }
      return { ...result, unsent: [] }
    }
  }
}
