import { createContext, useContext } from 'react'
import { formatAgo } from '../lib/time/ago.ts'
import { ageText, formatDay, formatMoment, shortAgo, useZone } from '../lib/time/time.ts'

/** Returns the gateway's time in milliseconds since 1970, or without a session the browser's time. */
export const ClockContext = createContext(Date.now)

interface MomentProps {
  /** ISO 8601. If missing, `none` shows instead. */
  iso: string | null | undefined
  /** The displayed form of the time. The title contains the other forms. */
  as?: 'moment' | 'day' | 'ago' | 'age' | 'short-ago'
  none?: string
}

export function Timestamp({ iso, as = 'moment', none = '–' }: MomentProps) {
  const zone = useZone()
  const nowMs = useContext(ClockContext)
  if (!iso) return <>{none}</>
  const ago = formatAgo(iso, nowMs())
  const exactTime = `${formatMoment(iso, zone)} ${zone}`
  const age = ageText(iso, nowMs())
  const text = {
    moment: formatMoment(iso, zone),
    day: formatDay(iso, zone),
    ago,
    age,
    'short-ago': shortAgo(iso, nowMs())
  }[as]
  const isAge = as !== 'moment' && as !== 'day'
  return (
    <time dateTime={iso} title={isAge ? exactTime : `${exactTime}, ${ago}`}>
      {text}
    </time>
  )
}
