import { useEffect, useRef } from 'react'
import { CUSTOMER_PAGE_SIZE } from '#shared/limits.ts'
import { paths } from '../../lib/paths.ts'
import { ClippedText } from '../../ui/clipped-text.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { AttentionAge, AttentionChips } from './attention-chips.tsx'
import { sizeOf } from './attention-words.ts'
import type { CustomerList } from './use-customer-list.ts'

interface CustomerCardsProps {
  list: CustomerList
  organizationId: string | undefined
}

export function CustomerCards({ list, organizationId }: CustomerCardsProps) {
  const { cards = [], total } = list
  const shown = useRef<HTMLUListElement>(null)
  const focusAt = useRef<number>(undefined)

  useEffect(() => {
    if (focusAt.current === undefined || cards.length <= focusAt.current) return
    shown.current?.querySelectorAll<HTMLElement>('a.customer-card')[focusAt.current]?.focus()
    focusAt.current = undefined
  }, [cards.length])

  return (
    <>
      <ul className="customer-cards" ref={shown}>
        {cards.map((card) => {
          const customerPath = paths.customer(card.id, organizationId)
          return (
            <li key={card.id}>
              <PrefetchLink to={customerPath} state={{ orgName: card.orgName }} className="customer-card">
                <strong>
                  <ClippedText text={card.orgName} />
                </strong>
                <span>{sizeOf(card)}</span>
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
            if (byHand) focusAt.current = cards.length
            list.loadMore()
          }}
        />
      )}
    </>
  )
}
