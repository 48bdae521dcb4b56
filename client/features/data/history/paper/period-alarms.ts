// Counts of the alarms of a period, and how long they lasted in it.
import type { Alarm } from '#shared/answers/alarms.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { durationText } from '../../../../lib/duration.ts'
import { count, formatNumber } from '../../../../lib/format.ts'
import type { AlarmsOfPeriod } from '../api.ts'
import { ALARMS_READ_MAX, RAISED_BEFORE_DAYS } from '../chart/chart-alarms.ts'

/** Maximum number of alarms that a printed page lists. */
export const LISTED_ALARMS_MAX = 200

/** How long an alarm lasted within a period, until now if it is still active. */
export function durationWithin(
  { timestamp, normalTime }: Pick<Alarm, 'timestamp' | 'normalTime'>,
  { fromMs, toMs }: TimeRange,
  nowMs: number
): number {
  const endMs = Math.min(normalTime === null ? nowMs : Date.parse(normalTime), toMs)
  return Math.max(endMs - Math.max(Date.parse(timestamp), fromMs), 0)
}

const LEFT_OUT = `Alarms raised more than ${RAISED_BEFORE_DAYS} days before the period are not included.`

/** "The newest 200 of 512 alarms. 3 are still active, 40 are not acknowledged. Together they lasted 2 d 3 h in this period." */
export function alarmsText({ alarms, isCut }: AlarmsOfPeriod, range: TimeRange, nowMs: number): string {
  if (alarms.length === 0)
    return isCut
      ? `No alarms among the newest ${formatNumber(ALARMS_READ_MAX)}. Older alarms are not counted.`
      : `No alarms. ${LEFT_OUT}`
  const active = alarms.filter(({ normalTime }) => normalTime === null).length
  const unacknowledged = alarms.filter(({ ackState }) => ackState !== 'acked').length
  const ms = alarms.reduce((sum, alarm) => sum + durationWithin(alarm, range, nowMs), 0)
  const total = isCut ? `more than ${count(alarms.length, 'alarm')}` : count(alarms.length, 'alarm')
  const isListed = alarms.length <= LISTED_ALARMS_MAX && !isCut
  return [
    isListed
      ? `${total}.`
      : `The newest ${formatNumber(Math.min(LISTED_ALARMS_MAX, alarms.length))} of ${total}.`,
    `Still active: ${formatNumber(active)}. Not acknowledged: ${formatNumber(unacknowledged)}.`,
    `Time in alarm within this period, added up: ${durationText(ms)}.`,
    isCut ? 'Older alarms are not counted.' : LEFT_OUT
  ].join(' ')
}
