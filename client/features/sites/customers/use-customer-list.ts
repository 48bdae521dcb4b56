import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { CustomerCard } from '#shared/answers/customers.ts'
import type { Page } from '#shared/answers/parts.ts'
import type { CustomerAttention } from '#shared/answers/portal.ts'
import type { AttentionKind } from '#shared/attention.ts'
import { ATTENTION_FIRST_MAX, CUSTOMER_PAGE_SIZE } from '#shared/limits.ts'
import { listen } from '../../../lib/browser.ts'
import { useCachedState } from '../../../lib/http/query.ts'
import { useSession } from '../../../lib/session/session.ts'
import { pageOf } from '../../../ui/list/pager.tsx'
import { useCustomers } from './api.ts'
import {
  agesOf,
  firstOrderOf,
  foundIn,
  hasFailed,
  isUnread,
  keptOrder,
  sorted,
  standOutLimits,
  TABLE_PAGE_SIZE,
  WORST_FIRST
} from './attention.ts'
import { type KindNumbers, newIn, useLastLook } from './last-look.ts'
import { useAttention } from './use-attention.ts'

/** An empty order is the sort's first order, an empty view the person's last choice of list or cards. */
export const FIRST_VIEW = { q: '', show: '', sort: WORST_FIRST, order: '', view: '', page: '1' }
export type CustomerView = typeof FIRST_VIEW

export type CustomerList = ReturnType<typeof useCustomerList>

/** A customer with what is remarkable about its counts. */
export interface CountedCustomer extends CustomerAttention {
  /** How much each count has grown since the last look. */
  news: KindNumbers
  standsOut: ReadonlySet<AttentionKind>
  /** Whether the counts are older than those of most customers. */
  isLate: boolean
}

/**
 * Filtered and sorted customers. If the counts cannot be read, the customers are sorted by name.
 * @param asCards whether the customers show as cards, whose list grows, otherwise as a table with pages
 */
export function useCustomerList(organizationId: string | null, view: CustomerView, asCards: boolean) {
  const attention = useAttention(organizationId)
  const countedList = useCounted(organizationId, attention.data?.items, view, asCards)
  useReadFirst(attention, countedList?.page.items ?? [], [...Object.values(view), countedList?.limit].join())
  const withoutCounts = attention.data === undefined && attention.error !== undefined
  const plainList = useCustomers(withoutCounts ? organizationId : null, view.q)
  const { error, isFetching } = withoutCounts ? plainList : attention
  const pages = plainList.data
  const plainPage: Page<CountedCustomer> | undefined = pages?.[0] && {
    items: pages.flatMap(({ items }) => items).map(withNoCounts),
    page: { ...pages[0].page, totalPages: 1 }
  }
  return {
    page: countedList ? countedList.page : plainPage,
    loadMore: countedList ? countedList.loadMore : plainList.hasNextPage ? plainList.fetchNextPage : null,
    /** Null if the counts cannot be read. */
    attention: countedList?.attention ?? null,
    error,
    isFetching,
    refetch() {
      attention.reloadCounts()
      if (withoutCounts) plainList.refetch()
      countedList?.attention.sortAgain?.()
    }
  }
}

const withNoCounts = (customer: CustomerCard): CountedCustomer => ({
  ...customer,
  counts: {},
  partial: [],
  news: {},
  standsOut: new Set(),
  isLate: false
})

/**
 * Lets the gateway read the shown customers first: with the next call, or at once after the person's choice.
 * @param choice what the person has chosen to see. It does not change while counts arrive.
 */
function useReadFirst(
  { readFirst, refetch }: ReturnType<typeof useAttention>,
  shown: readonly CountedCustomer[],
  choice: string
) {
  useEffect(() => {
    // If more cards are shown, the person has scrolled to the last ones.
    readFirst(shown.slice(-ATTENTION_FIRST_MAX).map(({ id }) => id))
  })
  const reloadUnread = useEffectEvent(() => {
    if (shown.some(isUnread)) refetch()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice shows other customers
  useEffect(() => reloadUnread(), [choice])
}

function useCounted(
  organizationId: string | null,
  all: readonly CustomerAttention[] | undefined,
  { q, show, sort, order, page }: CustomerView,
  asCards: boolean
) {
  const { nowMs } = useSession()
  const { seen, markSeen } = useLastLook(organizationId, all)
  const name = `customers ${show} ${sort} ${order}`
  const [savedOrder, saveOrder] = useCachedState<string[] | null>(`${name} order`, null)
  const [limit, setLimit] = useCachedState(`${name} ${q} shown`, CUSTOMER_PAGE_SIZE)
  const ages = agesOf(all ?? [], nowMs())
  const lateIds = [...ages.lateIds].join()
  // Rows stay equal while nothing about them changes, so that they do not render again.
  const counted = useMemo(() => {
    const late = new Set(lateIds.split(','))
    const limits = standOutLimits(all ?? [])
    return all?.map((customer): CountedCustomer => {
      const standsOut = foundIn(customer).filter(
        (kind) => (customer.counts[kind]?.count ?? 0) >= limits[kind]
      )
      return {
        ...customer,
        news: newIn(seen, customer),
        standsOut: new Set(standsOut),
        isLate: late.has(customer.id)
      }
    })
  }, [all, seen, lateIds])
  const needing = counted?.filter((customer) => foundIn(customer).length > 0) ?? []
  const chosen = show === 'attention' ? needing : (counted ?? [])
  const sortedIds = sorted(chosen, sort, order || firstOrderOf(sort)).map(({ id }) => id)
  // Saves the order on display, not that of counts which arrive with the touch: otherwise a row would move under the pointer.
  const keepDisplayed = useEffectEvent(() => {
    if (savedOrder === null && all !== undefined) saveOrder(sortedIds)
  })
  const touched = useTouched('.customers', keepDisplayed)
  useEffect(() => {
    if (touched) keepDisplayed()
  })
  if (!counted) return null
  const shownOrder = keptOrder(savedOrder ?? sortedIds, sortedIds)
  const byId = new Map(counted.map((customer) => [customer.id, customer]))
  const keyword = q.trim().toLowerCase()
  const rows = shownOrder
    .flatMap((id) => byId.get(id) ?? [])
    .filter(({ orgName }) => orgName.toLowerCase().includes(keyword))
  const withNews = counted.filter(({ news }) => Object.keys(news).length > 0)
  return {
    page: asCards ? pageOf(rows, '1', limit) : pageOf(rows, page, TABLE_PAGE_SIZE),
    limit,
    loadMore: asCards && rows.length > limit ? () => setLimit(limit + CUSTOMER_PAGE_SIZE) : null,
    attention: {
      rows,
      needing: needing.length,
      unread: counted.filter(isUnread).length,
      failed: counted.filter(hasFailed).length,
      checked: counted.filter((customer) => !isUnread(customer) && !hasFailed(customer)).length,
      all: counted.length,
      ages,
      withNews: withNews.length,
      markSeen,
      markAllSeen: () => markSeen(withNews),
      /** Sorts the customers by their current counts; null while the displayed order matches the counts. */
      sortAgain: shownOrder.join() === sortedIds.join() ? null : () => saveOrder(sortedIds)
    }
  }
}

/** Whether the person has touched a part of the page, or scrolled. Until then, its rows may change places. */
function useTouched(selector: string, onTouch: () => void): boolean {
  const [touched, setTouched] = useState(false)
  const touch = useEffectEvent(() => {
    onTouch()
    setTouched(true)
  })
  useEffect(() => {
    if (touched) return
    const inside = ({ target }: Event) => {
      if (target instanceof Element && target.closest(selector)) touch()
    }
    return listen(
      document,
      { pointerover: inside, focusin: inside, keydown: inside, scroll: () => touch() },
      true
    )
  }, [touched, selector])
  return touched
}
