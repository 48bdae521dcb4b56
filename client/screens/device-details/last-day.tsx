import { useMemo, useState } from 'react'
import type { Device } from '#shared/entities.ts'
import { failureOf } from '../../api/api-error.ts'
import { fetchHistory } from '../../api/telemetry.ts'
import { HistoryChart } from '../../components/history-chart.tsx'
import { useZone } from '../../components/moment.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { type ChartLine, sampleText } from '../../lib/chart-lines.ts'
import type { TimeRange } from '../../lib/date-range.ts'
import type { Samples } from '../../lib/history-samples.ts'
import { FIRST_HISTORY, writeHistoryView } from '../../lib/history-view.ts'
import { notChartable, type Point } from '../../lib/points.ts'
import { formatMoment } from '../../lib/time.ts'
import { useDrawing } from '../../lib/use-drawing.ts'
import { useLoads } from '../../lib/use-loads.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'
import type { CustomerArea } from '../../session/use-customer-area.ts'

const DAY_MS = 86_400_000
const HEIGHT = 240

interface LastDayProps {
  area: CustomerArea
  device: Device
  point: Point
}

/** What was recorded of a point in the last 24 hours, as a chart and as a table. */
export function LastDay({ area, device, point }: LastDayProps) {
  const { flags } = useSession()
  const missing =
    notChartable(point) ?? (area.can('data:query') ? null : 'Your role does not include histories')
  const view = {
    ...FIRST_HISTORY,
    points: [{ deviceUuid: device.deviceUuid, cloudId: point.cloudId }],
    filter: 'Last 24 Hours' as const
  }
  return (
    <section className="card last-day" aria-labelledby="last-day-heading">
      <div className="card-head">
        <h2 id="last-day-heading">Last 24 hours</h2>
        {flags.enableHistoryCharting && missing === null && (
          <PrefetchLink
            className="text-link card-link"
            to={`${paths.history(area.customerPath, device.deviceUuid)}&${writeHistoryView(view)}`}
          >
            Open in history
          </PrefetchLink>
        )}
      </div>
      <div className="card-body">
        {missing === null ? (
          <DayOf area={area} device={device} point={point} />
        ) : (
          <p className="muted">{missing}.</p>
        )}
      </div>
    </section>
  )
}

function DayOf({ area, device, point }: LastDayProps) {
  const { nowMs } = useSession()
  const zone = useZone()
  const [asTable, setAsTable] = useState(false)
  const [range] = useState<TimeRange>(() => {
    const toMs = Math.floor(nowMs() / 60_000) * 60_000
    return { fromMs: toMs - DAY_MS, toMs }
  })
  const { customerId } = area
  const { loads, states } = useLoads(
    [
      {
        key: point.cloudId,
        load: (signal) =>
          fetchHistory({ customerId, systemGuid: device.systemGuid, point, range, nowMs: nowMs() }, signal)
      }
    ],
    1
  )
  const state = states.get(point.cloudId)
  const samples = state?.state === 'ready' ? state.value : null
  const lines = useMemo(
    (): ChartLine[] =>
      samples
        ? [
            {
              id: point.cloudId,
              name: point.displayName,
              device: '',
              point,
              samples,
              color: 0,
              shiftMs: null
            }
          ]
        : [],
    [samples, point]
  )
  const drawing = useDrawing(lines)
  if (state?.state === 'failed')
    return (
      <p role="alert">
        {failureOf(state.error).title}. {failureOf(state.error).text}{' '}
        <button type="button" className="link-button" onClick={() => loads.retry(point.cloudId)}>
          Retry
        </button>
      </p>
    )
  if (!samples) return <Skeleton width="100%" label="Loading the last 24 hours" />
  if (samples.times.length === 0) return <p className="muted">No records in the last 24 hours.</p>
  return (
    <>
      <HistoryChart lines={lines} drawing={drawing} view={range} zone={zone} height={HEIGHT} />
      <button
        type="button"
        className="link-button"
        aria-expanded={asTable}
        onClick={() => setAsTable(!asTable)}
      >
        {asTable ? 'Hide table' : 'Show as table'}
      </button>
      {asTable && <SampleTable point={point} samples={samples} zone={zone} />}
    </>
  )
}

function SampleTable({ point, samples, zone }: { point: Point; samples: Samples; zone: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so that the keyboard has to reach it
    <section className="sample-table" tabIndex={0} aria-label="Records of the last 24 hours">
      <table className="data-table">
        <thead>
          <tr>
            <th scope="col">Time ({zone})</th>
            <th scope="col" className="end">
              Value
            </th>
          </tr>
        </thead>
        <tbody>
          {Array.from(samples.times, (time, index) => (
            <tr key={time}>
              <th scope="row">{formatMoment(new Date(time).toISOString(), zone)}</th>
              <td className="end">{sampleText(point, samples.values[index])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
