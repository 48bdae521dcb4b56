import { useMemo, useState } from 'react'
import type { Alarm } from '#shared/answers/alarms.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { useSession } from '../../../lib/session/session.ts'
import { alarmsWithin } from '../../data/history/chart/chart-alarms.ts'
import { PointChart, usePointHistory } from '../../data/history/chart/point-chart.tsx'
import { usePoint } from '../../data/points/api.ts'
import { notChartable, type Point } from '../../data/points/point.ts'
import { useCustomer } from '../../sites/customers/customer.tsx'

const HOUR_MS = 3_600_000
const HEIGHT = 200

/** A chart of the alarm's point, from two hours before it was raised to one hour after it returned to normal. */
export default function AlarmChart({ alarm }: { alarm: Alarm }) {
  const { customerId, can } = useCustomer()
  const cloudId = alarm.alarmData?.cloudId
  const mayRead = can('data:query') && can('data:query-model')
  const systemGuid = mayRead ? alarm.systemGuid : null
  const { data: point } = usePoint(customerId, systemGuid, typeof cloudId === 'string' ? cloudId : '')
  if (!point || notChartable(point) !== null) return null
  return <ChartAround key={alarm.uuid} customerId={customerId} alarm={alarm} point={point} />
}

function ChartAround({ customerId, alarm, point }: { customerId: string; alarm: Alarm; point: Point }) {
  const { nowMs } = useSession()
  const [now] = useState(nowMs)
  const { timestamp, normalTime } = alarm
  const range = useMemo(() => rangeAround(timestamp, normalTime, now), [timestamp, normalTime, now])
  const loaded = usePointHistory(customerId, point, range, now)
  const alarms = useMemo(() => alarmsWithin([alarm], [point], range), [alarm, point, range])
  return (
    <PointChart
      point={point}
      loaded={loaded}
      range={range}
      nowMs={now}
      height={HEIGHT}
      time="the time around the alarm"
      alarms={alarms}
      chosenAlarm={alarm.uuid}
    />
  )
}

/** The range of an alarm's chart: for a long alarm only the first day, which shows the cause. */
export function rangeAround(timestamp: string, normalTime: string | null, nowMs: number): TimeRange {
  const raisedMs = Date.parse(timestamp)
  const endMs = Math.min(normalTime === null ? nowMs : Date.parse(normalTime), raisedMs + 24 * HOUR_MS)
  const toMs = Math.min(endMs + HOUR_MS, Math.max(nowMs, raisedMs + HOUR_MS))
  return { fromMs: raisedMs - 2 * HOUR_MS, toMs }
}
