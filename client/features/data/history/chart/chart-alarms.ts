// The alarms of the points in a chart, with their names, durations and limits.
import type { Alarm } from '#shared/answers/alarms.ts'
import { isState } from '#shared/history/point-type.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { formatMoment } from '../../../../lib/time/time.ts'
import type { ChartLimit, ChartMark } from '../../../../ui/chart/chart-marks.ts'
import { axisOf, type ChartLine, isGhost, sampleText } from './chart-lines.ts'

/** Maximum number of alarms that are read for a period, of all points of its devices. */
export const ALARMS_READ_MAX = 2_000
/** Alarms raised more than this long before a period are ignored. */
export const RAISED_BEFORE_DAYS = 30

/** The prefix of the cache keys of a followed chart's alarms, which are read again when the customer's alarms change. */
export const followedAlarmsKey = (customerId: string) => `alarms of a followed chart ${customerId} `

export interface ChartAlarm {
  uuid: string
  cloudId: string
  /** The message of the alarm; if empty, the name of the alarm's source. */
  text: string
  fromMs: number
  toMs: number | null
  lowLimit: number | null
  highLimit: number | null
}

interface Source {
  cloudId: string
  systemGuid: string
  displayName: string
}

/** Alarms of the points within the range, matched by identifier if possible, because names may repeat. */
export function alarmsWithin(
  records: readonly Alarm[],
  sources: readonly Source[],
  range: TimeRange
): ChartAlarm[] {
  return records.flatMap((record) => {
    const { uuid, timestamp, normalTime, messageText, sourceName, systemGuid, alarmData } = record
    const source = sources.find((candidate) =>
      alarmData?.cloudId
        ? candidate.cloudId === alarmData.cloudId
        : candidate.systemGuid === systemGuid && candidate.displayName === sourceName
    )
    if (!source || !isWithin(record, range)) return []
    return [
      {
        uuid,
        cloudId: source.cloudId,
        text: messageText || sourceName,
        fromMs: Date.parse(timestamp),
        toMs: normalTime === null ? null : Date.parse(normalTime),
        lowLimit: numberOrNull(alarmData?.lowLimit),
        highLimit: numberOrNull(alarmData?.highLimit)
      }
    ]
  })
}

/** Whether an alarm lasts for some time of a range. */
export function isWithin(
  { timestamp, normalTime }: Pick<Alarm, 'timestamp' | 'normalTime'>,
  { fromMs, toMs }: TimeRange
): boolean {
  const normalMs = normalTime === null ? toMs : Date.parse(normalTime)
  return Date.parse(timestamp) < toMs && normalMs > fromMs
}

export function alarmsAt(alarms: readonly ChartAlarm[], ms: number): ChartAlarm[] {
  return alarms.filter(({ fromMs, toMs }) => fromMs <= ms && ms <= (toMs ?? Number.POSITIVE_INFINITY))
}

function numberOrNull(value: string | number | null | undefined): number | null {
  const number = value === null || value === undefined || value === '' ? Number.NaN : Number(value)
  return Number.isFinite(number) ? number : null
}

/** Marks the duration of each alarm, until now while it lasts. @param chosen the uuid of the alarm in the address */
export function marksOf(
  alarms: readonly ChartAlarm[],
  { zone, nowMs, chosen }: { zone: string; nowMs: number; chosen: string | null }
): ChartMark[] {
  return alarms.map(({ uuid, fromMs, toMs, text }) => {
    return {
      fromMs,
      toMs: toMs ?? nowMs,
      text: `${text} ${whenText(fromMs, toMs, nowMs, zone)}`,
      strong: uuid === chosen
    }
  })
}

/** "13:44–16:48", with days if they differ; "since 13:44" while the alarm lasts. */
function whenText(fromMs: number, toMs: number | null, nowMs: number, zone: string): string {
  const ends = [fromMs, toMs ?? nowMs].map((ms) => formatMoment(ms, zone))
  const isOneDay = ends[0]?.slice(0, DAY_LENGTH) === ends[1]?.slice(0, DAY_LENGTH)
  const [from, to] = ends.map((end) => (isOneDay ? end.slice(DAY_LENGTH + 1) : end.replace(/-\d{4} /, ' ')))
  return toMs === null ? `since ${from}` : `${from}–${to}`
}

const DAY_LENGTH = '00-Jan-2000'.length

/** The limits of each point; only the newest value of a limit that changed. */
export function limitsOf(alarms: readonly ChartAlarm[], lines: readonly ChartLine[]): ChartLimit[] {
  const prefixOf = ({ color }: ChartLine) => (lines.length > 1 ? `${color + 1} ` : '')
  return lines.flatMap((line) => {
    if (isState(line.point) || isGhost(line)) return []
    const pointAlarms = alarms.filter(({ cloudId }) => cloudId === line.point.cloudId)
    const newestFirst = pointAlarms.toSorted((a, b) => b.fromMs - a.fromMs)
    const limits = [
      ['High limit', newestFirst.find(({ highLimit }) => highLimit !== null)?.highLimit],
      ['Low limit', newestFirst.find(({ lowLimit }) => lowLimit !== null)?.lowLimit]
    ] as const
    return limits.flatMap(([name, value]) =>
      value == null
        ? []
        : [{ unit: axisOf(line), value, text: `${prefixOf(line)}${name} ${sampleText(line.point, value)}` }]
    )
  })
}
