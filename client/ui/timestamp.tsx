import { createContext, useContext } from 'react'
import { formatAgo } from '../lib/time/ago.ts'
import { formatDay, formatMoment, useZone } from '../lib/time/time.ts'

/** The gateway's time in milliseconds since 1970; without a session, the browser's. */
export const ClockContext = createContext(Date.now)

interface MomentProps {
  /** ISO 8601; null shows `none`. */
  iso: string | null | undefined
  /** The title has the other forms. */
  as?: 'moment' | 'day' | 'ago'
  none?: string
}

export function Timestamp({ iso, as = 'moment', none = '–' }: MomentProps) {
  const zone = useZone()
  const nowMs = useContext(ClockContext)
  if (!iso) return <>{none}</>
  const ago = formatAgo(iso, nowMs())
  const exact = `${formatMoment(iso, zone)} ${zone}`
  const words = { moment: formatMoment(iso, zone), day: formatDay(iso, zone), ago }[as]
  return (
    <time dateTime={iso} title={as === 'ago' ? exact : `${exact}, ${ago}`}>
      {words}
    </time>
  )
}
