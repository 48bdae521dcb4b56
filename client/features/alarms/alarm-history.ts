import { paths } from '../../lib/paths.ts'
import { CUSTOM_RANGE } from '../../lib/time/date-range.ts'
import { FIRST_HISTORY, writeHistoryView } from '../points/history-address.ts'
import type { Alarm } from './alarm.ts'

const HOUR_MS = 3_600_000

/** The history from an hour before to an hour after, of the point that the alarm came from where it is known, with the alarm marked. */
export function historyAround(alarm: Alarm, customerPath: string, deviceUuid: string): string {
  const at = Date.parse(alarm.timestamp)
  const cloudId = alarm.alarmData?.cloudId
  const view = writeHistoryView({
    ...FIRST_HISTORY,
    points: typeof cloudId === 'string' ? [{ deviceUuid, cloudId }] : [],
    filter: CUSTOM_RANGE,
    custom: { fromMs: at - HOUR_MS, toMs: at + HOUR_MS },
    alarm: alarm.uuid
  })
  return `${paths.history(customerPath, deviceUuid)}&${view}`
}
