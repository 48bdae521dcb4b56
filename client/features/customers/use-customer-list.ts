import { useEffect } from 'react'
import type { CustomerAttention } from '#shared/attention.ts'
import type { CustomerCard } from '#shared/entities.ts'
import { useKept } from '../../lib/http/query.ts'
import { useAttention, useCustomers } from './api.ts'
import { CUSTOMERS_SHOWN, foundIn, isUnread, keptOrder, worstFirst } from './attention.ts'

/** The list's state in the address. */
export const FIRST_VIEW = { q: '', show: '', sort: 'attention' }
export type CustomerView = typeof FIRST_VIEW

export interface CustomerList {
  /** Those that show; undefined while nothing is known. */
  cards: (CustomerCard | CustomerAttention)[] | undefined
  /** How many the view is about. */
  total: number
  /** Of all customers; null where it cannot be read. */
  attention: Needs | null
  hasMore: boolean
  loadMore: () => void
  error: unknown
  busy: boolean
  /** Reads again, and puts in order anew. */
  reload: () => void
}

export interface Needs {
  needing: number
  /** Customers of which something is yet to be read. */
  unread: number
  all: number
  /** Set when the order that shows is no longer the one of the counts. */
  sortAgain: (() => void) | null
}

/** The customers that the view is about. Where their counts cannot be read they are listed all the same, by name. */
export function useCustomerList(organizationId: string | null, view: CustomerView): CustomerList {
  const attention = useAttention(organizationId)
  const counted = useCounted(attention.data?.items, view)
  const withoutCounts = attention.data === undefined && attention.error !== undefined
  const plain = useCustomers(withoutCounts ? organizationId : null, view.q)
  const { error, busy } = withoutCounts ? plain : attention
  const reload = () => {
    attention.readAnew()
    if (withoutCounts) plain.reload()
    counted?.needs.sortAgain?.()
  }
  if (counted) {
    const { cards, room, widen, needs } = counted
    return {
      cards: cards.slice(0, room),
      total: cards.length,
      attention: needs,
      hasMore: cards.length > room,
      loadMore: widen,
      error,
      busy,
      reload
    }
  }
  return {
    cards: plain.data?.flatMap((page) => page.items),
    total: plain.data?.[0]?.page.totalElements ?? 0,
    attention: null,
    hasMore: plain.hasMore,
    loadMore: plain.loadMore,
    error,
    busy,
    reload
  }
}

function useCounted(all: readonly CustomerAttention[] | undefined, { q, show, sort }: CustomerView) {
  const name = `customers ${show} ${sort}`
  const [held, hold] = useKept<string[] | null>(`${name} order`, null)
  const [room, makeRoom] = useKept(`${name} ${q} shown`, CUSTOMERS_SHOWN)
  const needing = all?.filter((customer) => foundIn(customer).length > 0) ?? []
  const chosen = show === 'attention' ? needing : (all ?? [])
  const wanted = (sort === 'attention' ? worstFirst(chosen) : chosen).map(({ id }) => id)
  const isFirst = held === null && all !== undefined
  useEffect(() => {
    if (isFirst) hold(wanted)
  })
  if (!all) return null
  const order = keptOrder(held ?? wanted, wanted)
  const byId = new Map(all.map((customer) => [customer.id, customer]))
  const keyword = q.trim().toLowerCase()
  return {
    cards: order
      .flatMap((id) => byId.get(id) ?? [])
      .filter(({ orgName }) => orgName.toLowerCase().includes(keyword)),
    room,
    widen: () => makeRoom(room + CUSTOMERS_SHOWN),
    needs: {
      needing: needing.length,
      unread: all.filter(isUnread).length,
      all: all.length,
      sortAgain: order.join() === wanted.join() ? null : () => hold(wanted)
    }
  }
}
