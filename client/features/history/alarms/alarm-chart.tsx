import { useMemo, useState } from 'react'
import type { TimeRange } from '../../../lib/time/date-range.ts'
import { useCustomer } from '../../customers/customer.ts'
import { usePoint } from '../../points/api.ts'
import { notChartable, type Point } from '../../points/point.ts'
import { useSession } from '../../session/session.ts'
import { PointChart, usePointHistory } from '../point-chart.tsx'
import { type AlarmRecord, alarmsWithin } from './chart-alarms.ts'

const HOUR_MS = 3_600_000
const BEFORE_MS = 2 * HOUR_MS
const AFTER_MS = HOUR_MS
const HEIGHT = 200

/** The point of an alarm around it: from some time before it was raised to an hour after it went back to normal. */
export default function AlarmChart({ alarm }: { alarm: AlarmRecord }) {
  const { customerId, can } = useCustomer()
  const { nowMs } = useSession()
  const cloudId = alarm.alarmData?.cloudId
  const allowed = can('data:query') && can('data:query-model')
  const { data: point } = usePoint(
    customerId,
    allowed ? alarm.systemGuid : null,
    typeof cloudId === 'string' ? cloudId : ''
  )
  const { timestamp, normalTime } = alarm
  const [now] = useState(nowMs)
  const range = useMemo(() => rangeAround(timestamp, normalTime, now), [timestamp, normalTime, now])
  if (!point || notChartable(point) !== null) return null
  return <Around key={alarm.uuid} {...{ customerId, alarm, point, range, now }} />
}

function Around({
  customerId,
  alarm,
  point,
  range,
  now
}: {
  customerId: string
  alarm: AlarmRecord
  point: Point
  range: TimeRange
  now: number
}) {
  const loaded = usePointHistory(customerId, point, range, now)
  const alarms = useMemo(() => alarmsWithin([alarm], [point], range), [alarm, point, range])
  return (
    <PointChart
      {...{ point, loaded, range, alarms }}
      nowMs={now}
      height={HEIGHT}
      time="the time around the alarm"
      chosenAlarm={alarm.uuid}
    />
  )
}

/** Of a long alarm, a day from where it was raised: what led to it is what matters. */
export function rangeAround(timestamp: string, normalTime: string | null, nowMs: number): TimeRange {
  const raisedMs = Date.parse(timestamp)
  const endMs = Math.min(normalTime === null ? nowMs : Date.parse(normalTime), raisedMs + 24 * HOUR_MS)
  const toMs = Math.min(endMs + AFTER_MS, Math.max(nowMs, raisedMs + AFTER_MS))
  return { fromMs: raisedMs - BEFORE_MS, toMs }
}
