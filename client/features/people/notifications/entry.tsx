import type { ReactNode } from 'react'
import { useSession } from '../../../lib/session/session.ts'
import { formatAgo } from '../../../lib/time/ago.ts'
import { formatNotificationTime, useZone } from '../../../lib/time/time.ts'

interface EntryProps {
  unread: boolean
  title: ReactNode
  badge?: ReactNode
  children: ReactNode
  foot: ReactNode
}

/** A notification, an invitation or an export in the panel of the bell. */
export function Entry({ unread, title, badge, children, foot }: EntryProps) {
  return (
    <li className="lines anchor notification" data-unread={unread || undefined}>
      <div className="row spread">
        <h3>
          {unread && <span className="sr-only">Unread: </span>}
          {title}
        </h3>
        {badge}
      </div>
      <p className="notification-text">{children}</p>
      <div className="row spread hint">{foot}</div>
    </li>
  )
}

export function EntryTime({ iso }: { iso: string }) {
  const { nowMs } = useSession()
  const zone = useZone()
  return (
    <time dateTime={iso} title={`${formatAgo(iso, nowMs())}, ${zone}`}>
      {formatNotificationTime(iso, zone)}
    </time>
  )
}
