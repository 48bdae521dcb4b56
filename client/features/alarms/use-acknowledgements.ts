import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { isOutcomeUnknown } from '../../lib/http/api-error.ts'
import { type Alarm, byDevice, isOpen, type ShownAck } from './alarm.ts'
import { acknowledge, type DeviceResult, readBackAcknowledgement } from './alarm-commands.ts'

/** When to check whether the device has confirmed; after the last it counts as unconfirmed. */
const CHECKED_AFTER_MS = [3_000, 10_000, 30_000, 60_000]
const UNCONFIRMED_AFTER_MS = 60_000

interface Sent {
  alarm: Alarm
  atMs: number
}

interface Acknowledgements {
  /** The state of an alarm's acknowledgement, including those that the device has not confirmed yet. */
  ackOf: (alarm: Alarm) => ShownAck
  /** Resolves to the devices that refused. Throws if nothing was sent. */
  send: (alarms: readonly Alarm[], onLost: () => void) => Promise<DeviceResult[]>
}

async function acknowledgeOrReadBack(
  customerId: string,
  alarms: readonly Alarm[],
  onLost: () => void
): Promise<DeviceResult[]> {
  try {
    return await acknowledge(customerId, byDevice(alarms))
  } catch (error) {
    if (!isOutcomeUnknown(error)) throw error
    onLost()
    return readBackAcknowledgement(customerId, alarms)
  }
}

/** Sends acknowledgements and shows them as pending until a search finds that the device confirmed them. */
export function useAcknowledgements(
  customerId: string,
  rows: readonly Alarm[],
  reload: () => void
): Acknowledgements {
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
    ackOf,
    async send(alarms, onLost) {
      const wanted = alarms.filter((alarm) => isOpen(alarm))
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
