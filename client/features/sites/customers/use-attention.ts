import { useRef } from 'react'
import type { AttentionList, CustomerAttention } from '#shared/answers/portal.ts'
import { calls } from '#shared/calls.ts'
import { get, useQuery } from '../../../lib/http/query.ts'
import { useIsLive } from '../../../lib/live/live.ts'
import { useSession } from '../../../lib/session/session.ts'
import { isUnread, readAtOf } from './attention.ts'

/** Poll interval while the gateway reads counts; longer for many customers. */
const READING_MS = 5_000
const READING_MS_PER_CUSTOMER = 25
const REREADING_MS = 60_000
/** Maximum age of counts that a refresh does not reload. */
const FRESH_SECONDS = 60

/** The attention counts of every customer of the organization; a null id loads nothing. */
export function useAttention(organizationId: string | null) {
  const { nowMs } = useSession()
  const isLive = useIsLive()
  const forcedReload = useRef({ query: '', sinceMs: 0 })
  const firstIds = useRef<readonly string[]>([])
  const attention = useQuery<AttentionList>(
    organizationId && calls.attention(organizationId),
    (url, signal) => {
      const query = new URLSearchParams(forcedReload.current.query)
      forcedReload.current.query = ''
      for (const id of firstIds.current) query.append('first', id)
      return get<AttentionList>(query.size > 0 ? `${url}?${query}` : url, signal)
    },
    {
      refreshInterval(list) {
        // The stream reports what is read, but the gateway only reads again while it is asked.
        if (isLive || !list) return REREADING_MS
        const isWaiting = list.items.some(
          (attention) => isUnread(attention) || isReadBefore(attention, forcedReload.current.sinceMs)
        )
        return isWaiting ? Math.max(READING_MS, list.items.length * READING_MS_PER_CUSTOMER) : REREADING_MS
      }
    }
  )
  return {
    ...attention,
    /** Reloads the counts that are older than a minute. */
    reloadCounts() {
      forcedReload.current = { query: `maxAge=${FRESH_SECONDS}`, sinceMs: nowMs() - FRESH_SECONDS * 1000 }
      attention.refetch()
    },
    /** Lets the following calls ask the gateway to read these customers first. */
    readFirst(ids: readonly string[]) {
      firstIds.current = ids
    }
  }
}

const isReadBefore = (attention: CustomerAttention, ms: number) => Date.parse(readAtOf(attention) ?? '') < ms
