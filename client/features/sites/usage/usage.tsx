import './style.css'
import { useMemo } from 'react'
import type { Usage } from '#shared/answers/portal.ts'
import { USAGE_BAR_SCALE_PERCENT } from '#shared/limits.ts'
import { formatNumber } from '../../../lib/format.ts'
import { formatDay } from '../../../lib/time/time.ts'
import { LazyChart } from '../../../ui/chart/lazy-chart.tsx'
import { DataTable } from '../../../ui/list/data-table.tsx'
import { Notice } from '../../../ui/state/notice.tsx'
import { percentText } from './api.ts'

/** A bar up to 150 % of the plan limit, with a mark at the limit. `of` names the plan if there are several plans. */
export function UsageBar({ usage, of = 'the plan' }: { usage: Usage; of?: string }) {
  const { percent, used, planLimit, level, bar } = usage
  if (percent === null || planLimit === null) return null
  const valueText = `${formatNumber(used)} of ${formatNumber(planLimit)} GB used, ${percentText(percent)}`
  return (
    <div>
      <p className="muted usage-words">
        <strong>{percentText(percent)}</strong> of {formatNumber(planLimit)} GB used
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a meter element shows no mark at the plan limit */}
      <div
        className="usage-bar"
        role="meter"
        aria-label={`Usage of ${of}`}
        aria-valuemin={0}
        aria-valuemax={USAGE_BAR_SCALE_PERCENT}
        aria-valuenow={Math.min(percent, USAGE_BAR_SCALE_PERCENT)}
        aria-valuetext={valueText}
      >
        <span className={`usage-fill ${level}`} style={{ width: `${bar.fill}%` }} />
        <span className="usage-limit" style={{ left: `${bar.baseline}%` }} />
      </div>
      <small className="usage-scale" aria-hidden="true">
        <span>0</span>
        <span className="usage-limit-label" style={{ left: `${bar.baseline}%` }}>
          Plan limit
        </span>
        <span>{USAGE_BAR_SCALE_PERCENT} %</span>
      </small>
    </div>
  )
}

export function UsageWarning({ usage: { level, title, text } }: { usage: Usage }) {
  if (!title) return null
  return (
    <Notice tone={level === 'exceeded' ? 'danger' : 'warn'}>
      <strong>{title}</strong> {text}
    </Notice>
  )
}

const HEIGHT_PX = 220

/** Each point is a calendar day or month, independent of the time zone. */
function nameOf(time: string, period: Usage['period']): string {
  const day = formatDay(time, 'UTC')
  return period === 'Yearly' ? day.slice('00-'.length) : day
}

export function UsageHistory({ points, period }: Pick<Usage, 'points' | 'period'>) {
  const times = useMemo(() => points.map(({ time }) => Date.parse(time)), [points])
  const series = useMemo(
    () => [
      { label: 'Data usage', unit: 'GB', values: points.map(({ value }) => value), kind: 'bars' as const }
    ],
    [points]
  )
  const title = `${period} usage`
  if (points.length === 0) return <p>No usage has been recorded yet.</p>
  return (
    <section className="usage-history" aria-label={title}>
      <h3>{title}</h3>
      <LazyChart
        label={`${title} in GB`}
        times={times}
        series={series}
        height={HEIGHT_PX}
        zone="UTC"
        describe={(_, index) => {
          const point = points[index]
          return point ? `${nameOf(point.time, period)}, ${amount(point.value)} GB` : ''
        }}
      />
      <details className="usage-table">
        <summary>Show as table</summary>
        <DataTable
          caption={title}
          columns={[
            {
              id: 'time',
              header: period === 'Yearly' ? 'Month' : 'Day',
              cell: ({ time }) => nameOf(time, period)
            },
            { id: 'value', header: 'GB', align: 'end', cell: ({ value }) => amount(value) }
          ]}
          rows={points}
          rowKey={({ time }) => time}
          status={title}
        />
      </details>
    </section>
  )
}

function amount(gigabytes: number): string {
  return gigabytes.toFixed(gigabytes < 1 ? 3 : 2)
}
