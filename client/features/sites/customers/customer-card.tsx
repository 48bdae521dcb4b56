import Check from 'lucide-react/icons/check-check'
import EyeOff from 'lucide-react/icons/eye-off'
import { memo, useState } from 'react'
import type { AttentionKind } from '#shared/attention.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useSession } from '../../../lib/session/session.ts'
import { formatAgo } from '../../../lib/time/ago.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { foundIn, gapsOf, KINDS } from './attention.ts'
import { AttentionAge } from './attention-age.tsx'
import type { CustomerLinks } from './columns.tsx'
import type { CountedCustomer } from './use-customer-list.ts'

/** Chips that fit on two lines of a card. */
const CHIPS_MAX = 4

interface CustomerCardProps {
  customer: CountedCustomer
  links: CustomerLinks
}

/** Memoized, so that only cards of customers that have changed render. */
export const CustomerCard = memo(function CustomerCard({ customer, links }: CustomerCardProps) {
  return (
    <div className="customer-card">
      <PrefetchLink
        to={links.pathOf(customer)}
        state={{ orgName: customer.orgName }}
        className="hint"
        onClick={() => links.onOpen(customer)}
      >
        <strong>{customer.orgName}</strong>
        <span>
          {formatNumber(customer.projectCount)} Projects | {formatNumber(customer.deviceCount)} Devices
        </span>
      </PrefetchLink>
      {customer.isLate && <AttentionAge customer={customer} />}
      {/* Without counts, nobody knows whether all is well. */}
      {Object.keys(customer.counts).length > 0 && (
        <AttentionChips key={customer.id} customer={customer} links={links} />
      )}
    </div>
  )
})

/** The counts of a customer, each linked to the list of the counted items, and notes about missing counts. */
function AttentionChips({ customer, links }: CustomerCardProps) {
  const [isExpanded, setIsExpanded] = useState(false)
  const kinds = markedFirst(customer)
  const { failed, unread } = gapsOf(customer)
  const allWell = kinds.length === 0 && failed === null && unread === null
  const isLong = kinds.length > CHIPS_MAX && !isExpanded
  // The button takes the place of a chip.
  const shownKinds = isLong ? kinds.slice(0, CHIPS_MAX - 1) : kinds
  return (
    <ul className="row attention" aria-label={`What needs attention at ${customer.orgName}`}>
      {shownKinds.map((kind) => (
        <li key={kind}>
          <CountChip kind={kind} customer={customer} links={links} />
        </li>
      ))}
      {isLong && (
        <li>
          <button type="button" className="link-button anchor more-chips" onClick={() => setIsExpanded(true)}>
            +{kinds.length - shownKinds.length} more <span className="sr-only">at {customer.orgName}</span>
          </button>
        </li>
      )}
      {failed && (
        <li className="line muted attention-note">
          <EyeOff />
          {failed}
        </li>
      )}
      {unread && <li className="line muted attention-note">{unread}</li>}
      {allWell && (
        <li className="line muted attention-note all-well">
          <Check />
          All well
        </li>
      )}
    </ul>
  )
}

/** Sorts counts that are new or stand out first, so that they are not among the chips behind the button. */
function markedFirst(customer: CountedCustomer): AttentionKind[] {
  const kinds = foundIn(customer)
  const isMarked = (kind: AttentionKind) => kind in customer.news || customer.standsOut.has(kind)
  return [...kinds.filter(isMarked), ...kinds.filter((kind) => !isMarked(kind))]
}

function CountChip({ kind, customer, links }: CustomerCardProps & { kind: AttentionKind }) {
  const { nowMs } = useSession()
  const { tone, label, meaning } = KINDS[kind]
  const to = links.listOf(kind, customer)
  const attentionCount = customer.counts[kind]
  const news = customer.news[kind]
  const isMarked = news !== undefined || customer.standsOut.has(kind)
  const content = (
    <>
      {news !== undefined && <i className="new-dot" />}
      {label} <b>{formatNumber(attentionCount?.count ?? 0)}</b>
      {news !== undefined && <span aria-hidden="true">+{formatNumber(news)}</span>}{' '}
      <span className="sr-only">
        {meaning}
        {news !== undefined && `, ${formatNumber(news)} new`}
      </span>
    </>
  )
  const linkProps = {
    className: `badge attention-chip anchor ${isMarked ? tone : 'plain'}`,
    title: `${meaning}, checked ${formatAgo(attentionCount?.readAt ?? '', nowMs())}`
  }
  if (to === null) return <span {...linkProps}>{content}</span>
  return (
    <PrefetchLink
      {...linkProps}
      to={to}
      state={{ orgName: customer.orgName }}
      onClick={() => links.onOpen(customer)}
    >
      {content}
    </PrefetchLink>
  )
}
