import type { AttentionKind } from '#shared/attention.ts'
import { count, formatNumber } from '../../../lib/format.ts'
import { useSession } from '../../../lib/session/session.ts'
import { formatAgo } from '../../../lib/time/ago.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { KINDS } from './attention.ts'
import type { CountedCustomer } from './use-customer-list.ts'

interface AttentionNumberProps {
  kind: AttentionKind
  customer: CountedCustomer
  /** The list of what is counted; null if the person may not open it. */
  to: string | null
  onOpen: () => void
}

/** A customer's count in the table. */
export function AttentionNumber({ kind, customer, to, onOpen }: AttentionNumberProps) {
  const { nowMs } = useSession()
  const attentionCount = customer.counts[kind]
  // The person may not see this count of this customer.
  if (attentionCount === undefined) return null
  const failed = customer.partial.includes(kind)
  if (attentionCount === null) return <span className="muted">{failed ? 'not read' : 'reading…'}</span>
  const { count: value, unread, readAt } = attentionCount
  if (value === 0 && unread !== undefined)
    return <span className="muted">{failed ? 'not read' : 'reading…'}</span>
  if (value === 0)
    return (
      <span className="zero">
        <span aria-hidden="true">–</span>
        <span className="sr-only">0</span>
      </span>
    )
  const { counted, tone } = KINDS[kind]
  const news = customer.news[kind]
  const standsOut = customer.standsOut.has(kind)
  const isPartial = unread !== undefined
  const words = `${isPartial ? 'at least ' : ''}${counted(value)}${news ? `, ${formatNumber(news)} new` : ''}`
  const notes = [
    standsOut && 'far more than most customers',
    isPartial && (failed ? `${count(unread, 'plan')} not read` : `reading ${count(unread, 'plan')}`),
    `checked ${formatAgo(readAt, nowMs())}`
  ]
  const props = {
    className: `attention-number${news || standsOut ? ` marked ${tone}` : ''}`,
    title: [words, ...notes.filter(Boolean)].join(', ')
  }
  const text = `${isPartial ? '≥ ' : ''}${formatNumber(value)}`
  return (
    <>
      {to === null ? (
        <span {...props}>{text}</span>
      ) : (
        <PrefetchLink
          {...props}
          to={to}
          state={{ orgName: customer.orgName }}
          aria-label={`${customer.orgName}: ${words}`}
          onClick={onOpen}
        >
          {text}
        </PrefetchLink>
      )}
      {news && (
        <span className="growth" aria-hidden="true">
          {' '}
          +{formatNumber(news)}
        </span>
      )}
    </>
  )
}
