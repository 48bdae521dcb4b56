// Finds the counts that have grown since the person last looked at the start page.
//
// A look ends when the person leaves the start page or hides it: the browser then stores the counts of all customers, and
// the next visit compares with them. During a visit, a customer's news stay until the person opens that customer.
import { useCallback, useEffect, useEffectEvent, useMemo } from 'react'
import type { CustomerAttention } from '#shared/answers/portal.ts'
import { ATTENTION_KINDS, type AttentionKind } from '#shared/attention.ts'
import { listen } from '../../../lib/browser.ts'
import { useCachedState } from '../../../lib/http/query.ts'
import { useSession } from '../../../lib/session/session.ts'
import { recall, recallPerson, remember } from '../../../lib/storage.ts'

export type KindNumbers = Partial<Record<AttentionKind, number>>
/** The counts at the last look, by customer. */
export type SeenCounts = Readonly<Record<string, KindNumbers>>

type Counted = Pick<CustomerAttention, 'id' | 'counts'>

/** The customer's counts that are completely read. */
function readCounts({ counts }: Counted): KindNumbers {
  const entries = ATTENTION_KINDS.flatMap((kind) => {
    const attentionCount = counts[kind]
    return attentionCount && attentionCount.unread === undefined ? [[kind, attentionCount.count]] : []
  })
  return Object.fromEntries(entries)
}

/** How much each count has grown since the last look; kinds that have not grown are left out. */
export function newIn(seen: SeenCounts, customer: Counted): KindNumbers {
  const seenCounts = seen[customer.id] ?? {}
  const entries = Object.entries(readCounts(customer)).flatMap(([kind, value]) => {
    const growth = value - (seenCounts[kind as AttentionKind] ?? value)
    return growth > 0 ? [[kind, growth]] : []
  })
  return Object.fromEntries(entries)
}

/**
 * The counts to compare with while they change. A count that was never seen is not new. A count that falls is seen as it
 * is, so that the same number of later arrivals is new. Returns the same object if nothing changes.
 */
export function seenMeanwhile(seen: SeenCounts, customers: readonly Counted[]): SeenCounts {
  const changes = customers.flatMap((customer): [string, KindNumbers][] => {
    const seenCounts = seen[customer.id] ?? {}
    const entries = Object.entries(readCounts(customer)).filter(
      ([kind, value]) => value < (seenCounts[kind as AttentionKind] ?? Number.POSITIVE_INFINITY)
    )
    return entries.length === 0 ? [] : [[customer.id, { ...seenCounts, ...Object.fromEntries(entries) }]]
  })
  return changes.length === 0 ? seen : { ...seen, ...Object.fromEntries(changes) }
}

/** The counts after a look at these customers. */
export function seenNow(seen: SeenCounts, customers: readonly Counted[]): SeenCounts {
  const looks = customers.map((customer) => [customer.id, { ...seen[customer.id], ...readCounts(customer) }])
  return { ...seen, ...Object.fromEntries(looks) }
}

/** The counts at the last look of this person at the customers of an organization. */
export function useLastLook(
  organizationId: string | null,
  customers: readonly CustomerAttention[] | undefined
) {
  const { user } = useSession()
  const storageKey = `portal.customers-seen.${user.id}.${organizationId}`
  const [cached, setCached] = useCachedState<SeenCounts | null>('customers seen', null)
  const atStart = useMemo(() => cached ?? recall<SeenCounts>(storageKey) ?? {}, [cached, storageKey])
  const seen = useMemo(() => seenMeanwhile(atStart, customers ?? []), [atStart, customers])
  useEffect(() => {
    if (customers && seen !== cached) setCached(seen)
  })

  const storeLook = useEffectEvent(() => {
    // Nothing is stored after the person has signed out.
    if (customers && recallPerson()?.id === user.id) {
      const ofOrganization = customers.map(({ id }) => [id, seen[id] ?? {}])
      remember(storageKey, seenNow(Object.fromEntries(ofOrganization), customers))
    }
  })
  useEffect(() => {
    const stop = listen(document, {
      visibilitychange() {
        if (document.hidden) storeLook()
      }
    })
    return () => {
      stop()
      storeLook()
    }
  }, [])

  /** Everything at these customers is no longer new. */
  const markSeen = useCallback(
    (looked: readonly CustomerAttention[]) => setCached(seenNow(seen, looked)),
    [seen, setCached]
  )
  return { seen, markSeen }
}
