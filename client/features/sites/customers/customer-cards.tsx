import Check from 'lucide-react/icons/check-check'
import EyeOff from 'lucide-react/icons/eye-off'
import { memo } from 'react'
import type { CustomerAttention } from '#shared/answers/portal.ts'
import type { AttentionKind } from '#shared/attention.ts'
import { CUSTOMER_PAGE_SIZE } from '#shared/limits.ts'
import { formatNumber } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { formatAgo } from '../../../lib/time/ago.ts'
import { LoadMore, useFocusOnNew } from '../../../ui/list/load-more.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { ClippedText } from '../../../ui/text/clipped-text.tsx'
import { Timestamp } from '../../../ui/timestamp.tsx'
import { mayOpenAlarms } from '../../people/session/may-open.ts'
import { useSession } from '../../people/session/session.ts'
import { foundIn, gapsOf, isOld, KINDS, readAtOf } from './attention.ts'
import type { CustomerList } from './use-customer-list.ts'

interface CustomerCardsProps {
  list: CustomerList
  organizationId: string | undefined
}

/** Memoized, so that the cards render only when the deferred list changes. */
export const CustomerCards = memo(function CustomerCards({ list, organizationId }: CustomerCardsProps) {
  const { cards = [], total } = list
  const focus = useFocusOnNew(cards.length)
  return (
    <>
      <ul className="customer-cards" ref={focus.list}>
        {cards.map((card) => {
          const customerPath = paths.customer(card.id, organizationId)
          return (
            <li key={card.id} className="card">
              <PrefetchLink
                to={customerPath}
                state={{ orgName: card.orgName }}
                className="hint customer-card"
              >
                <strong>
                  <ClippedText text={card.orgName} />
                </strong>
                <span>
                  {formatNumber(card.projectCount)} Projects | {formatNumber(card.deviceCount)} Devices
                </span>
              </PrefetchLink>
              {'counts' in card && (
                <>
                  <AttentionAge customer={card} />
                  <AttentionChips customer={card} customerPath={customerPath} />
                </>
              )}
            </li>
          )
        })}
      </ul>
      <p role="status" className="sr-only">{`${cards.length} of ${total} customers shown`}</p>
      {list.hasMore && (
        <LoadMore
          label="Load more"
          busy={list.attention === null && list.busy}
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
  customer: CustomerAttention
  customerPath: string
}

/** The counts of a customer, each linked to the list of the counted items, and notes about missing counts. */
function AttentionChips({ customer, customerPath }: AttentionProps) {
  const kinds = foundIn(customer)
  const { failed, unread } = gapsOf(customer)
  const allWell = kinds.length === 0 && failed === null && unread === null
  return (
    <ul className="row attention" aria-label={`What needs attention at ${customer.orgName}`}>
      {kinds.map((kind) => (
        <li key={kind}>
          <CountChip kind={kind} customer={customer} customerPath={customerPath} />
        </li>
      ))}
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

function CountChip({ kind, customer, customerPath }: AttentionProps & { kind: AttentionKind }) {
  const session = useSession()
  const { tone, Icon, label, meaning, to } = KINDS[kind]
  const attentionCount = customer.counts[kind]
  const content = (
    <>
      <Icon />
      {label} <b>{formatNumber(attentionCount?.count ?? 0)}</b> <span className="sr-only">{meaning}</span>
    </>
  )
  const linkProps = {
    className: `badge attention-chip anchor ${tone}`,
    title: `${meaning}, checked ${formatAgo(attentionCount?.readAt ?? '', session.nowMs())}`
  }
  if (kind === 'alarms' && !mayOpenAlarms(session)) return <span {...linkProps}>{content}</span>
  return (
    <PrefetchLink {...linkProps} to={to(customerPath)} state={{ orgName: customer.orgName }}>
      {content}
    </PrefetchLink>
  )
}

function AttentionAge({ customer }: { customer: CustomerAttention }) {
  const { nowMs } = useSession()
  const readAt = readAtOf(customer)
  if (readAt === null) return null
  return (
    <small className="attention-age" data-old={isOld(customer, nowMs()) || undefined}>
      checked <Timestamp iso={readAt} as="ago" />
    </small>
  )
}
