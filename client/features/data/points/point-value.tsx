import { Fragment } from 'react'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useTick } from '../../../lib/time/ago.ts'
import { ageText, formatMoment, useZone } from '../../../lib/time/time.ts'
import type { ListColumn } from '../../../ui/list/columns/column.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { type Point, shownText } from './point.ts'
import { statusName } from './point-value-format.ts'

interface PointValueProps {
  point: Point
  /** The last value that was read. If missing, the value of the entity model shows. */
  live: { value: unknown; timestamp: string | null; error: string | null } | undefined
  /** Whether reading the value fails, so that the last value is outdated. */
  outdated?: boolean
}

const AGE_REFRESH_MS = 5_000

/** A point's value and the age of the value. */
export function PointValue({ point, live, outdated = false }: PointValueProps) {
  const zone = useZone()
  const { nowMs } = useSession()
  useTick(AGE_REFRESH_MS)
  const asOf = live?.timestamp ? formatMoment(live.timestamp, zone) : ''
  return (
    <span className="point-value">
      <span>{shownText(point, live)}</span>
      {live?.timestamp && (
        <small title={`${asOf} ${zone}`}>
          {outdated || live.error ? `as of ${asOf.slice(-5)}` : ageText(live.timestamp, nowMs())}
        </small>
      )}
      {live?.error && <small className="point-error">{live.error}</small>}
    </span>
  )
}

/** The flags of a point in Niagara's order; null if unknown. */
export function PointStatus({ flags }: { flags: readonly string[] | null }) {
  if (flags === null) return <span className="muted">Unknown</span>
  if (flags.length === 0) return <span className="badge ok">OK</span>
  return (
    <span className="row">
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

/** A path, which breaks at its slashes. */
export function SlotPath({ path }: { path: string }) {
  if (path === '') return '–'
  const steps = path.split('/')
  return steps.map((step, index) => (
    <Fragment key={steps.slice(0, index + 1).join('/')}>
      {index > 0 && (
        <>
          /<wbr />
        </>
      )}
      {step}
    </Fragment>
  ))
}

/** The name of a point, which leads to its page. */
export const pointColumn = (customerPath: string, deviceUuid: string): ListColumn<Point> => ({
  id: 'displayName',
  header: 'Point',
  width: 10,
  sort: 'point',
  card: 'heading',
  cell: ({ cloudId, displayName }) => (
    <PrefetchLink to={paths.point(customerPath, deviceUuid, cloudId)}>{displayName}</PrefetchLink>
  )
})

export const PATH_COLUMN: ListColumn<Point> = {
  id: 'path',
  header: 'Path',
  width: 12,
  from: 'desktop',
  cell: ({ slotPath }) => (
    <small>
      <SlotPath path={slotPath} />
    </small>
  )
}

export const HISTORY_COLUMN: ListColumn<Point> = {
  id: 'history',
  header: 'History',
  width: 11,
  from: 'desktop',
  cell: ({ historyName }) => <small>{historyName ? <SlotPath path={historyName} /> : 'None'}</small>,
  card: { as: 'more', cell: ({ historyName }) => historyName ?? 'None' }
}
