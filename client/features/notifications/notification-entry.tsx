import { mayAnywhere } from '#shared/permissions.ts'
import { paths } from '../../lib/paths.ts'
import { formatAgo } from '../../lib/time/ago.ts'
import { formatNotificationTime, useZone } from '../../lib/time/time.ts'
import { ClippedText } from '../../ui/clipped-text.tsx'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { useIntegrator } from '../session/integrator.ts'
import { isGlobalAdmin } from '../session/landing.ts'
import { useSession } from '../session/session.ts'
import type { Notification } from './api.ts'
import { daysBadge, type Piece, piecesOf, webAddress } from './notification-text.ts'

interface NotificationEntryProps {
  notification: Notification
  nowMs: number
  onMark: (readStatus: boolean) => void
  /** Somebody goes to what it is about. */
  onFollow: () => void
}

export function NotificationEntry({ notification, nowMs, onMark, onFollow }: NotificationEntryProps) {
  const { subject, content, generatedDate, readStatus, substitutions } = notification
  const zone = useZone()
  const badge = daysBadge(substitutions.number_of_days_for_expiry)
  const linkOf = useObjectLinks(substitutions)
  const follow = () => {
    if (!readStatus) onMark(true)
    onFollow()
  }
  return (
    <li className="notification" data-unread={readStatus ? undefined : true}>
      <div className="notification-head">
        <h3>
          {!readStatus && <span className="sr-only">Unread: </span>}
          <ClippedText text={subject || 'Notification'} />
        </h3>
        {badge && <span className={`badge ${badge.level}`}>{badge.text}</span>}
      </div>
      <p className="notification-text">
        {piecesOf(content, substitutions).map((piece) => (
          <Words key={piece.at} piece={piece} to={linkOf(piece)} onFollow={follow} />
        ))}
      </p>
      <div className="notification-facts">
        <time dateTime={generatedDate} title={`${formatAgo(generatedDate, nowMs)}, ${zone}`}>
          {formatNotificationTime(generatedDate, zone)}
        </time>
        <button type="button" className="link-button" onClick={() => onMark(!readStatus)}>
          {readStatus ? 'Mark as unread' : 'Mark as read'}
          <span className="sr-only">: {subject}</span>
        </button>
      </div>
    </li>
  )
}

type Target = { to: string } | { href: string } | null

function Words({ piece, to, onFollow }: { piece: Piece; to: Target; onFollow: () => void }) {
  if (to === null) return <>{piece.text}</>
  if ('href' in to) {
    return (
      <a href={to.href} target="_blank" rel="noopener noreferrer">
        {piece.text.replace(/^https?:\/\//, '')}
        <span className="sr-only"> (opens a new tab)</span>
      </a>
    )
  }
  return (
    <PrefetchLink to={to.to} onClick={onFollow}>
      <ClippedText text={piece.text} />
    </PrefetchLink>
  )
}

/** Where a filled placeholder leads: the service account, the customer or the licensing web site, for who may go there. */
function useObjectLinks(substitutions: Record<string, unknown>): (piece: Piece) => Target {
  const session = useSession()
  const { chosen } = useIntegrator()
  const { customer_id: customerId, service_account_id: accountId } = substitutions
  const reachable = !isGlobalAdmin(session) || chosen !== null
  const customer =
    reachable && typeof customerId === 'string' && customerId !== ''
      ? paths.customer(customerId, chosen?.id)
      : null
  const mayAccounts = mayAnywhere(session.user.roleAssignments, 'service-accounts:view')
  return ({ name, text }) => {
    if (name === 'licensing_website_link') {
      const href = webAddress(text)
      return href === null ? null : { href }
    }
    if (customer === null) return null
    if (name === 'customer_id') return { to: customer }
    const isAccount = name === 'service_account_name' && typeof accountId === 'string' && mayAccounts
    return isAccount ? { to: `${paths.serviceAccount(customer, accountId)}?focus=secret` } : null
  }
}
