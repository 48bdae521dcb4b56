import { paths } from '../../lib/paths.ts'
import { CUSTOM_RANGE } from '../../lib/time/date-range.ts'
import { FIRST_HISTORY, writeHistoryView } from '../points/history-address.ts'
import type { Alarm } from './alarm.ts'

const HOUR_MS = 3_600_000

/** The history from an hour before it was raised to an hour after it was normal again, of the point that the alarm came from where it is known, with the alarm marked. */
export function historyAround(alarm: Alarm, customerPath: string, deviceUuid: string): string {
  const raisedMs = Date.parse(alarm.timestamp)
  const normalMs = alarm.normalTime ? Date.parse(alarm.normalTime) : raisedMs
  const cloudId = alarm.alarmData?.cloudId
  const view = writeHistoryView({
    ...FIRST_HISTORY,
    points: typeof cloudId === 'string' ? [{ deviceUuid, cloudId }] : [],
    filter: CUSTOM_RANGE,
    custom: { fromMs: raisedMs - HOUR_MS, toMs: Math.max(raisedMs, normalMs) + HOUR_MS },
    alarm: alarm.uuid
  })
  return `${paths.history(customerPath, deviceUuid)}&${view}`
}
