import { ageText } from '../lib/clock.ts'
import { type Point, valueText, withUnits } from '../lib/points.ts'
import { formatMoment } from '../lib/time.ts'
import { useZone } from './moment.tsx'

interface PointValueProps {
  point: Point
  /** The last reading; without one the value of the model shows. */
  live: { value: unknown; timestamp: string | null; error: string | null } | undefined
  /** Whether readings fail now, so that the last one is no longer fresh. */
  outdated: boolean
  nowMs: number
}

/** What a point says, in its own words, and how old that is. */
export function PointValue({ point, live, outdated, nowMs }: PointValueProps) {
  const zone = useZone()
  const shown = live && live.value !== null ? valueText(point, live.value) : point.out.value || '–'
  const asOf = live?.timestamp ? formatMoment(live.timestamp, zone) : ''
  return (
    <span className="point-value">
      <span>{withUnits(shown, point.kind === 'Numeric' ? point.units : '')}</span>
      {live?.timestamp && (
        <small title={`${asOf} ${zone}`}>
          {outdated || live.error ? `as of ${asOf.slice(-5)}` : ageText(live.timestamp, nowMs)}
        </small>
      )}
      {live?.error && <small className="point-error">{live.error}</small>}
    </span>
  )
}
