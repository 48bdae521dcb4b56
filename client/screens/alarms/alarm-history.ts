import type { Alarm } from '../../lib/alarms.ts'
import { CUSTOM_RANGE } from '../../lib/date-range.ts'
import { FIRST_HISTORY, writeHistoryView } from '../../lib/history-view.ts'
import { paths } from '../../paths.ts'

const HOUR_MS = 3_600_000

/** The history from an hour before to an hour after, of the point that the alarm came from where it is known. */
export function historyAround(alarm: Alarm, customerPath: string, deviceUuid: string): string {
  const at = Date.parse(alarm.timestamp)
  const cloudId = alarm.alarmData?.cloudId
  const view = writeHistoryView({
    ...FIRST_HISTORY,
    points: typeof cloudId === 'string' ? [{ deviceUuid, cloudId }] : [],
    filter: CUSTOM_RANGE,
    custom: { fromMs: at - HOUR_MS, toMs: at + HOUR_MS }
  })
  return `${paths.history(customerPath, deviceUuid)}&${view}`
}
