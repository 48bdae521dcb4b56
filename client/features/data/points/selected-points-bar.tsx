import type { ReactNode } from 'react'
import { count } from '../../../lib/format.ts'
import { CHART_POINTS_MAX } from '../../../lib/limits.ts'
import { Chip } from '../../../ui/list/filters/filters.tsx'
import type { SelectedPoint } from './selected-points.ts'

interface SelectedPointsBarProps {
  points: readonly SelectedPoint[]
  onChange: (points: readonly SelectedPoint[]) => void
  children: ReactNode
}

/** The points selected for a chart, at the bottom of the page. */
export function SelectedPointsBar({ points, onChange, children }: SelectedPointsBarProps) {
  return (
    <section className="row point-tray" aria-label="Chosen points">
      <p role="status" className="sr-only">
        {count(points.length, 'point')} chosen, {CHART_POINTS_MAX} at most
      </p>
      <ul className="row">
        {points.map((point) => (
          <Chip
            key={`${point.deviceUuid} ${point.cloudId}`}
            name={String(point.pointName)}
            title={`${point.pointName}, ${point.deviceName}`}
            onRemove={() => onChange(points.filter((other) => other !== point))}
          >
            {point.pointName}
            <small> {point.deviceName}</small>
          </Chip>
        ))}
      </ul>
      <div className="row point-tray-actions">
        <button type="button" className="button quiet" onClick={() => onChange([])}>
          Clear
        </button>
        {children}
      </div>
    </section>
  )
}
