import type { Notification } from '#shared/answers/notifications.ts'
import { isGlobalAdmin } from '#shared/landing.ts'
import { EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS } from '#shared/limits.ts'
import { mayAnywhere } from '#shared/permissions.ts'
import { count } from '../../../lib/format.ts'
import { useLayout } from '../../../lib/layout.ts'
import { SUBJECT_CHARACTERS } from '../../../lib/limits.ts'
import { paths } from '../../../lib/paths.ts'
import { useOrganizationById } from '../../../lib/session/api.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import { useSession } from '../../../lib/session/session.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { exportAddress, exportWatch, type UnreadExport } from '../../data/exports/export-watch.ts'
import { Entry, EntryTime } from './entry.tsx'

interface NotificationEntryProps {
  notification: Notification
  onMark: (readStatus: boolean) => void
  /** Called when the person follows a link. */
  onFollow: () => void
}

/** A subject, shortened if it is too long for the layout. */
function Subject({ text }: { text: string }) {
  const longest = SUBJECT_CHARACTERS[useLayout()]
  const characters = [...text]
  if (characters.length <= longest) return text
  return (
    <span title={text}>{`${characters
      .slice(0, longest - 1)
      .join('')
      .trimEnd()}…`}</span>
  )
}

export function NotificationEntry({ notification, onMark, onFollow }: NotificationEntryProps) {
  const { subject, content, generatedDate, readStatus, substitutions } = notification
  const { nowMs } = useSession()
  const badge = expiryBadge(notification, nowMs())
  const linkOf = useObjectLinks(substitutions)
  const customerId = content.includes('{customer_id}') ? substitutions.customer_id : null
  const customer = useOrganizationById(typeof customerId === 'string' ? customerId : null)
  const follow = () => {
    if (!readStatus) onMark(true)
    onFollow()
  }
  return (
    <Entry
      unread={!readStatus}
      title={<Subject text={subject || 'Notification'} />}
      badge={badge && <span className={`badge ${badge.level}`}>{badge.text}</span>}
      foot={
        <>
          <EntryTime iso={generatedDate} />
          <button type="button" className="link-button" onClick={() => onMark(!readStatus)}>
            {readStatus ? 'Mark as unread' : 'Mark as read'}
            <span className="sr-only">: {subject}</span>
          </button>
        </>
      }
    >
      {piecesOf(content, substitutions).map((piece) => (
        <PieceText
          key={piece.at}
          piece={
            piece.name === 'customer_id' ? { ...piece, text: customer.data?.orgName ?? piece.text } : piece
          }
          to={linkOf(piece)}
          onFollow={follow}
        />
      ))}
    </Entry>
  )
}

type Target = { to: string } | { href: string } | null

function PieceText({ piece, to, onFollow }: { piece: Piece; to: Target; onFollow: () => void }) {
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
      {piece.text}
    </PrefetchLink>
  )
}

/** Returns the link of a placeholder (service account, customer or licensing site) that the person may open. */
function useObjectLinks(substitutions: Record<string, unknown>): (piece: Piece) => Target {
  const session = useSession()
  const { chosen } = useOrganization()
  const { customer_id: customerId, service_account_id: accountId } = substitutions
  const mayOpenCustomer = !isGlobalAdmin(session) || chosen !== null
  const customer =
    mayOpenCustomer && typeof customerId === 'string' && customerId !== ''
      ? paths.customer(customerId, chosen?.id)
      : null
  const mayViewAccounts = mayAnywhere(session.user.roleAssignments, 'service-accounts:view')
  return ({ name, text }) => {
    if (name === 'licensing_website_link') {
      const href = webAddress(text)
      return href === null ? null : { href }
    }
    if (customer === null) return null
    if (name === 'customer_id') return { to: customer }
    const isAccount = name === 'service_account_name' && typeof accountId === 'string' && mayViewAccounts
    return isAccount ? { to: `${paths.serviceAccount(customer, accountId)}?focus=secret` } : null
  }
}

interface Piece {
  text: string
  name?: string
  at: number
}

const PLACEHOLDER = /\{([\w-]{1,64})\}/g
const MISSING = '…'
const DAY_MS = 86_400_000
const EXPIRED = { level: 'danger', text: 'Expired' } as const

export function piecesOf(content: string, substitutions: Record<string, unknown>): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const { 0: placeholder, 1: name = '', index } of content.matchAll(PLACEHOLDER)) {
    if (index > end) pieces.push({ text: content.slice(end, index), at: end })
    const text = Object.hasOwn(substitutions, name) ? textOf(substitutions[name]) : null
    pieces.push(text === null ? { text: MISSING, at: index } : { text, name, at: index })
    end = index + placeholder.length
  }
  if (end < content.length) pieces.push({ text: content.slice(end), at: end })
  return pieces
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** The days left today until what the notification announces ends; null without a number of days, or above 30 days. */
export function expiryBadge(
  { subject, content, generatedDate, substitutions }: Notification,
  nowMs: number
): { level: 'danger' | 'warn'; text: string } | null {
  if (/\b(?:has|have) expired\b/i.test(`${subject} ${content}`)) return EXPIRED
  const daysText = textOf(substitutions.number_of_days_for_expiry)
  if (daysText === null || !/^-?\d{1,6}$/.test(daysText.trim())) return null
  const daysWhenSent = Number(daysText)
  const ageMs = Math.max(0, nowMs - Date.parse(generatedDate)) || 0
  const days = Math.ceil(daysWhenSent - ageMs / DAY_MS)
  if (days > EXPIRY_WARNING_DAYS) return null
  if (days <= 0) return EXPIRED
  const level = days <= EXPIRY_DANGER_DAYS ? 'danger' : 'warn'
  return { level, text: `${count(days, 'day')} left` }
}

/** The value as an http(s) address; null if it is none. */
export function webAddress(value: unknown): string | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null
  const { protocol, href } = new URL(value)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}

/** The announcement of a finished export. This browser stores the announcement until it is read. */
export function ExportEntry({ unread, onFollow }: { unread: UnreadExport; onFollow: () => void }) {
  const { id, exportName, failure, endedDate } = unread
  const { user } = useSession()
  const { chosen } = useOrganization()
  const markRead = () => void exportWatch.read(user.id, id)
  return (
    <Entry
      unread
      title={failure === null ? 'Export ready' : 'Export failed'}
      foot={
        <>
          {endedDate && <EntryTime iso={endedDate} />}
          <button
            type="button"
            className="link-button"
            onClick={({ currentTarget }) => {
              // The entry disappears, so the selected tab gets the focus.
              currentTarget
                .closest('.notifications')
                ?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')
                ?.focus()
              markRead()
            }}
          >
            Mark as read<span className="sr-only">: {exportName}</span>
          </button>
        </>
      }
    >
      Export “
      <PrefetchLink
        to={exportAddress(unread, chosen?.id ?? null)}
        onClick={() => {
          markRead()
          onFollow()
        }}
      >
        {exportName}
      </PrefetchLink>
      ” {failure === null ? 'is ready.' : failure ? `failed: ${failure}` : 'failed.'}
    </Entry>
  )
}
