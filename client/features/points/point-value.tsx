import { Fragment } from 'react'
import { ageText, formatMoment, useZone } from '../../lib/time/time.ts'
import { type Point, valueText, withUnits } from './point.ts'
import { statusName } from './point-value-format.ts'

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

/** The flags of a point in Niagara's order; null where nothing is known of them. */
export function PointStatus({ flags }: { flags: readonly string[] | null }) {
  if (flags === null) return <span className="muted">Unknown</span>
  if (flags.length === 0) return <span className="badge ok">OK</span>
  return (
    <span className="row point-status">
      {flags.map((flag) => {
        const { name, tone } = statusName(flag)
        return (
          <span key={flag} className={`badge ${tone}`}>
            {name}
          </span>
        )
      })}
    </span>
  )
}

/** On one line, cut at its beginning: points differ at the end. */
export function SlotPath({ path }: { path: string }) {
  return (
    <span className="slot-path" title={path}>
      <bdi>{path || '–'}</bdi>
    </span>
  )
}

/** All of it, over as many lines as it takes, broken at its slashes. */
export function WholePath({ path }: { path: string }) {
  const steps = path.split('/')
  return steps.map((step, place) => (
    <Fragment key={steps.slice(0, place + 1).join('/')}>
      {place > 0 && (
        <>
          /<wbr />
        </>
      )}
      {step}
    </Fragment>
  ))
}
