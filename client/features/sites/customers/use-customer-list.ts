import { useEffect } from 'react'
import type { CustomerAttention } from '#shared/answers/portal.ts'
import type { CustomerCard } from '#shared/entities.ts'
import { useCachedState } from '../../../lib/http/query.ts'
import { useAttention, useCustomers } from './api.ts'
import { CUSTOMERS_SHOWN, foundIn, isUnread, keptOrder, worstFirst } from './attention.ts'

export const FIRST_VIEW = { q: '', show: '', sort: 'attention' }
export type CustomerView = typeof FIRST_VIEW

export type CustomerList = ReturnType<typeof useCustomerList>

/** Filtered and sorted customers. If the counts cannot be read, the customers are sorted by name. */
export function useCustomerList(organizationId: string | null, view: CustomerView) {
  const attention = useAttention(organizationId)
  const countedList = useCounted(attention.data?.items, view)
  const withoutCounts = attention.data === undefined && attention.error !== undefined
  const plainList = useCustomers(withoutCounts ? organizationId : null, view.q)
  const { error, busy } = withoutCounts ? plainList : attention
  return {
    ...(countedList ?? {
      cards: plainList.data?.flatMap((page): (CustomerCard | CustomerAttention)[] => page.items),
      total: plainList.data?.[0]?.page.totalElements ?? 0,
      /** Null if the counts cannot be read. */
      attention: null,
      hasMore: plainList.hasMore,
      loadMore: plainList.loadMore
    }),
    error,
    busy,
    reload() {
      attention.reloadCounts()
      if (withoutCounts) plainList.reload()
      countedList?.attention.sortAgain?.()
    }
  }
}

function useCounted(all: readonly CustomerAttention[] | undefined, { q, show, sort }: CustomerView) {
  const name = `customers ${show} ${sort}`
  const [savedOrder, saveOrder] = useCachedState<string[] | null>(`${name} order`, null)
  const [limit, setLimit] = useCachedState(`${name} ${q} shown`, CUSTOMERS_SHOWN)
  const needing = all?.filter((customer) => foundIn(customer).length > 0) ?? []
  const chosen = show === 'attention' ? needing : (all ?? [])
  const sortedIds = (sort === 'attention' ? worstFirst(chosen) : chosen).map(({ id }) => id)
  const isFirst = savedOrder === null && all !== undefined
  useEffect(() => {
    if (isFirst) saveOrder(sortedIds)
  })
  if (!all) return null
  const order = keptOrder(savedOrder ?? sortedIds, sortedIds)
  const byId = new Map(all.map((customer) => [customer.id, customer]))
  const keyword = q.trim().toLowerCase()
  const cards = order
    .flatMap((id) => byId.get(id) ?? [])
    .filter(({ orgName }) => orgName.toLowerCase().includes(keyword))
  return {
    cards: cards.slice(0, limit),
    total: cards.length,
    hasMore: cards.length > limit,
    loadMore: () => setLimit(limit + CUSTOMERS_SHOWN),
    attention: {
      needing: needing.length,
      /** Number of customers with missing counts. */
      unread: all.filter(isUnread).length,
      all: all.length,
      /** Sorts the customers by their current counts; null while the displayed order matches the counts. */
      sortAgain: order.join() === sortedIds.join() ? null : () => saveOrder(sortedIds)
    }
  }
}
