import { useEffect, useEffectEvent, useState } from 'react'
import { acknowledge, type DeviceResult } from '../../api/alarm-commands.ts'
import { type Alarm, byDevice, isOpen, type ShownAck } from '../../lib/alarms.ts'

/** A device confirms when it gets to it: looked for after these times, given up after the last. */
const LOOKED_FOR_MS = [3_000, 10_000, 30_000, 60_000]
const GIVEN_UP_MS = 60_000

interface Sent {
  alarm: Alarm
  atMs: number
}

export interface Acknowledgements {
  /** How an alarm's acknowledgement stands, with those that are on their way. */
  ackOf: (alarm: Alarm) => ShownAck
  /** Resolves to the devices that refused. Throws when nothing could be sent. */
  send: (alarms: readonly Alarm[]) => Promise<DeviceResult[]>
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

  return {
    ackOf({ uuid, ackState }) {
      const waiting = sent.get(uuid)
      if (ackState === 'acked' || !waiting) return ackState
      return nowMs - waiting.atMs >= GIVEN_UP_MS ? 'unconfirmed' : 'ackPending'
    },
    async send(alarms) {
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
        const results = await acknowledge(customerId, byDevice(wanted))
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
