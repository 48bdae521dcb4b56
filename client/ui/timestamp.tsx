import { formatAgo } from '../lib/time/ago.ts'
import { formatDay, formatMoment, useZone } from '../lib/time/time.ts'

interface MomentProps {
  /** ISO 8601; null shows `none`. */
  iso: string | null | undefined
  /** The title has the other forms. */
  as?: 'moment' | 'day' | 'ago'
  /** The gateway's time, for "3 days ago". */
  nowMs?: number
  none?: string
}

/** A time in the person's zone. */
export function Timestamp({ iso, as = 'moment', nowMs = Date.now(), none = '–' }: MomentProps) {
  const zone = useZone()
  if (!iso) return <>{none}</>
  const exact = `${formatMoment(iso, zone)} ${zone}`
  const words = { moment: formatMoment(iso, zone), day: formatDay(iso, zone), ago: formatAgo(iso, nowMs) }[as]
  return (
    <time dateTime={iso} title={as === 'ago' ? exact : `${exact}, ${formatAgo(iso, nowMs)}`}>
      {words}
    </time>
  )
}
