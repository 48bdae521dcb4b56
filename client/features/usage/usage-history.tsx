import './style.css'
import { useMemo } from 'react'
import type { Usage } from '#shared/usage.ts'
import { formatDay } from '../../lib/time/time.ts'
import { LazyChart } from '../../ui/chart/lazy-chart.tsx'

const HEIGHT_PX = 220

/** The points are days or months of the calendar, which are the same in every zone. */
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
        <table className="plain-table">
          <caption className="sr-only">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{period === 'Yearly' ? 'Month' : 'Day'}</th>
              <th scope="col" className="end">
                GB
              </th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ time, value }) => (
              <tr key={time}>
                <th scope="row">{nameOf(time, period)}</th>
                <td className="end">{amount(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  )
}

function amount(gigabytes: number): string {
  return gigabytes.toFixed(gigabytes < 1 ? 3 : 2)
}
