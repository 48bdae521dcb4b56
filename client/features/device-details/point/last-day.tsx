import { useMemo, useState } from 'react'
import type { Device } from '#shared/answers/customers.ts'
import type { Samples } from '#shared/history/samples.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { firstAt } from '#shared/time/first-at.ts'
import { count } from '../../../lib/format.ts'
import { useSession } from '../../../lib/session/session.ts'
import { momentWithOffset } from '../../../lib/time/offset.ts'
import { useZone } from '../../../lib/time/time.ts'
import { DataTable } from '../../../ui/list/data-table.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { useChartAlarms } from '../../data/history/api.ts'
import { sampleText } from '../../data/history/chart/chart-lines.ts'
import { PointChart, useLivePointHistory } from '../../data/history/chart/point-chart.tsx'
import { historyAddress } from '../../data/points/history-address.ts'
import { notChartable, type Point } from '../../data/points/point.ts'
import { useCustomer } from '../../sites/customers/customer.tsx'

const DAY_MS = 86_400_000
const HEIGHT = 240

/** The records of the last 24 hours, as a chart and as a table. */
export function LastDay({ device, point }: { device: Device; point: Point }) {
  const area = useCustomer()
  const { flags } = useSession()
  const missingReason =
    notChartable(point) ?? (area.can('data:query') ? null : 'Your role does not include histories')
  const view = {
    points: [{ deviceUuid: device.deviceUuid, cloudId: point.cloudId }],
    filter: 'Last 24 Hours' as const
  }
  return (
    <section className="card last-day" aria-labelledby="last-day-heading">
      <div className="row card-head">
        <h2 id="last-day-heading">Last 24 hours</h2>
        {flags.enableHistoryCharting && missingReason === null && (
          <PrefetchLink
            className="text-link push"
            to={historyAddress(area.customerPath, device.deviceUuid, view)}
          >
            Open in history
          </PrefetchLink>
        )}
      </div>
      <div className="card-body">
        {missingReason === null ? <DayChart point={point} /> : <p className="muted">{missingReason}.</p>}
      </div>
    </section>
  )
}

function DayChart({ point }: { point: Point }) {
  const area = useCustomer()
  const { nowMs } = useSession()
  const zone = useZone()
  const [asTable, setAsTable] = useState(false)
  const [loadedRange] = useState<TimeRange>(() => {
    const toMs = Math.floor(nowMs() / 60_000) * 60_000
    return { fromMs: toMs - DAY_MS, toMs }
  })
  const { loaded, range } = useLivePointHistory(area.customerId, point, loadedRange, nowMs)
  const points = useMemo(() => (area.can('alarms:query') ? [point] : []), [area, point])
  const { alarms, note } = useChartAlarms(area.customerId, points, { range, loadedRange, isFollowed: true })
  const { data: history } = loaded
  return (
    <>
      <PointChart
        point={point}
        loaded={loaded}
        range={range}
        alarms={alarms}
        nowMs={range.toMs}
        height={HEIGHT}
        time="the last 24 hours"
      />
      {note && <p className="hint">{note}</p>}
      {history && history.times.length > 0 && (
        <button
          type="button"
          className="link-button"
          aria-expanded={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? 'Hide table' : 'Show as table'}
        </button>
      )}
      {history && asTable && <SampleTable point={point} range={range} zone={zone} samples={history} />}
    </>
  )
}

interface SampleTableProps {
  point: Point
  samples: Samples
  range: TimeRange
  zone: string
}

function SampleTable({ point, samples: { times, values }, range, zone }: SampleTableProps) {
  // Only the chart shows the last value before the range.
  const firstIndex = firstAt(times, range.fromMs)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
    <section className="sample-table" tabIndex={0} aria-label="Records of the last 24 hours">
      <DataTable
        caption="Records of the last 24 hours"
        columns={[
          {
            id: 'time',
            header: `Time (${zone})`,
            cell: (index) => momentWithOffset(times[index] ?? 0, zone)
          },
          { id: 'value', header: 'Value', align: 'end', cell: (index) => sampleText(point, values[index]) }
        ]}
        rows={[...times.keys()].slice(firstIndex)}
        rowKey={String}
        status={count(times.length - firstIndex, 'record')}
      />
    </section>
  )
}
