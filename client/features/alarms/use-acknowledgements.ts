import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { isOutcomeUnknown } from '../../lib/http/api-error.ts'
import { type Alarm, byDevice, isOpen, type ShownAck } from './alarm.ts'
import { acknowledge, type DeviceResult, readBackAcknowledgement } from './alarm-commands.ts'

/** A device confirms when it gets to it: looked for after these times, given up after the last. */
const LOOKED_FOR_MS = [3_000, 10_000, 30_000, 60_000]
const GIVEN_UP_MS = 60_000

interface Sent {
  alarm: Alarm
  atMs: number
}

interface Acknowledgements {
  /** How an alarm's acknowledgement stands, with those that are on their way. */
  ackOf: (alarm: Alarm) => ShownAck
  /** Resolves to the devices that refused. Throws when nothing could be sent. */
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

/** Unacknowledged → pending → acknowledged, reconciled by searching again; never shown as done before the device says so. */
export function useAcknowledgements(
  customerId: string,
  rows: readonly Alarm[],
  reload: () => void
): Acknowledgements {
  const [sent, setSent] = useState<ReadonlyMap<string, Sent>>(new Map())
  const [nowMs, setNow] = useState(() => performance.now())
  const look = useEffectEvent(() => {
    setNow(performance.now())
    reload()
  })

  const [last] = [...sent.values()].map(({ atMs }) => atMs).sort((a, b) => b - a)
  useEffect(() => {
    if (last === undefined) return
    const timers = LOOKED_FOR_MS.map((ms) => setTimeout(() => look(), ms))
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
      return nowMs - waiting.atMs >= GIVEN_UP_MS ? 'unconfirmed' : 'ackPending'
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
