import { useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { recall, remember } from '../../lib/store.ts'
import { useSession } from '../../session/session.ts'

/**
 * The point that the address names; without a word there, the one of the device that was looked at last (§4), which the
 * address then says. With it comes what keeps it for the next time.
 */
export function useShownPoint(customerId: string, deviceUuid: string): [cloudId: string, keep: () => void] {
  const { user } = useSession()
  const [query, setQuery] = useSearchParams()
  const stored = `portal.point.${user.id}.${customerId}.${deviceUuid}`
  const named = query.get('cloudId') ?? ''
  const cloudId = named || (recall<string>(stored) ?? '')
  const keep = useCallback(() => remember(stored, cloudId), [stored, cloudId])
  useEffect(() => {
    if (named || !cloudId) return
    setQuery(
      (current) => {
        const next = new URLSearchParams(current)
        next.set('cloudId', cloudId)
        return next
      },
      { replace: true }
    )
  }, [named, cloudId, setQuery])
  return [cloudId, keep]
}
