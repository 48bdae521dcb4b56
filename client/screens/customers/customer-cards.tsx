import { useEffect, useRef } from 'react'
import type { CustomerCard, Page } from '#shared/entities.ts'
import { CUSTOMER_PAGE_SIZE } from '#shared/limits.ts'
import type { Pages } from '../../api/use-pages.ts'
import { ClippedText } from '../../components/clipped-text.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { formatNumber } from '../../lib/format.ts'
import { paths } from '../../paths.ts'

interface CustomerCardsProps {
  pages: Pages<Page<CustomerCard>>
  organizationId: string | undefined
}

export function CustomerCards({ pages, organizationId }: CustomerCardsProps) {
  const cards = pages.data?.flatMap((page) => page.items) ?? []
  const total = pages.data?.[0]?.page.totalElements ?? 0
  const list = useRef<HTMLUListElement>(null)
  const focusAt = useRef<number>(undefined)

  useEffect(() => {
    if (focusAt.current === undefined || cards.length <= focusAt.current) return
    list.current?.querySelectorAll('a')[focusAt.current]?.focus()
    focusAt.current = undefined
  }, [cards.length])

  return (
    <>
      <ul className="customer-cards" ref={list}>
        {cards.map((card) => (
          <li key={card.id}>
            <PrefetchLink
              to={paths.customer(card.id, organizationId)}
              state={{ orgName: card.orgName }}
              className="customer-card"
            >
              <strong>
                <ClippedText text={card.orgName} />
              </strong>
              <span>{`${formatNumber(card.projectCount)} Projects | ${formatNumber(card.deviceCount)} Devices`}</span>
            </PrefetchLink>
          </li>
        ))}
      </ul>
      <p role="status" className="sr-only">{`${cards.length} of ${total} customers shown`}</p>
      {pages.hasMore && (
        <LoadMore
          label="Load more"
          busy={pages.busy}
          onScroll={cards.length >= CUSTOMER_PAGE_SIZE}
          onLoad={(byHand) => {
            if (byHand) focusAt.current = cards.length
            pages.loadMore()
          }}
        />
      )}
    </>
  )
}
