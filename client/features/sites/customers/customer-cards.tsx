import Check from 'lucide-react/icons/check-check'
import EyeOff from 'lucide-react/icons/eye-off'
import { memo, useState } from 'react'
import type { AttentionKind } from '#shared/attention.ts'
import { CUSTOMER_PAGE_SIZE } from '#shared/limits.ts'
import { formatNumber } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { formatAgo } from '../../../lib/time/ago.ts'
import { LoadMore, useFocusOnNew } from '../../../ui/list/load-more.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { mayOpenAlarms } from '../../people/session/may-open.ts'
import { useSession } from '../../people/session/session.ts'
import { foundIn, gapsOf, KINDS } from './attention.ts'
import { AttentionAge } from './attention-age.tsx'
import type { CountedCustomer, CustomerList } from './use-customer-list.ts'

/** Chips that fit on two lines of a card. */
const CHIPS_MAX = 4

interface CustomerCardsProps {
  list: CustomerList
  organizationId: string | undefined
}

/** Memoized, so that the cards render only when the deferred list changes. */
export const CustomerCards = memo(function CustomerCards({ list, organizationId }: CustomerCardsProps) {
  const { cards = [], total, attention } = list
  const focus = useFocusOnNew(cards.length)
  return (
    <>
      <ul className="customer-cards" ref={focus.list}>
        {cards.map((card) => {
          const customerPath = paths.customer(card.id, organizationId)
          const onOpen = () => 'counts' in card && attention?.markSeen([card])
          return (
            <li key={card.id} className="card">
              <PrefetchLink
                to={customerPath}
                state={{ orgName: card.orgName }}
                className="hint customer-card"
                onClick={onOpen}
              >
                <strong className="clip">{card.orgName}</strong>
                <span>
                  {formatNumber(card.projectCount)} Projects | {formatNumber(card.deviceCount)} Devices
                </span>
              </PrefetchLink>
              {'counts' in card && (
                <>
                  {card.isLate && <AttentionAge customer={card} />}
                  <AttentionChips customer={card} customerPath={customerPath} onOpen={onOpen} />
                </>
              )}
            </li>
          )
        })}
      </ul>
      <p role="status" className="sr-only">{`${cards.length} of ${total} customers shown`}</p>
      {list.hasMore && (
        <LoadMore
          // A new button for each batch: a button that stays in view, as in a tall window, reports that only once.
          key={cards.length}
          label="Load more"
          busy={attention === null && list.busy}
          onScroll={cards.length >= CUSTOMER_PAGE_SIZE}
          onLoad={(byHand) => {
            if (byHand) focus.expectMore()
            list.loadMore()
          }}
        />
      )}
    </>
  )
})

interface AttentionProps {
  customer: CountedCustomer
  customerPath: string
  onOpen: () => void
}

/** The counts of a customer, each linked to the list of the counted items, and notes about missing counts. */
function AttentionChips({ customer, ...link }: AttentionProps) {
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
          <CountChip kind={kind} customer={customer} {...link} />
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

function CountChip({ kind, customer, customerPath, onOpen }: AttentionProps & { kind: AttentionKind }) {
  const session = useSession()
  const { tone, label, meaning, to } = KINDS[kind]
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
    title: `${meaning}, checked ${formatAgo(attentionCount?.readAt ?? '', session.nowMs())}`
  }
  if (kind === 'alarms' && !mayOpenAlarms(session)) return <span {...linkProps}>{content}</span>
  return (
    <PrefetchLink {...linkProps} to={to(customerPath)} state={{ orgName: customer.orgName }} onClick={onOpen}>
      {content}
    </PrefetchLink>
  )
}
