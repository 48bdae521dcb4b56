// The cached answers about one customer, changed in place before the gateway is asked again.
import { useSWRConfig } from 'swr'
import type { Device, DevicePage, ProjectList } from '#shared/entities.ts'
import { type Key, useCustomerRefresh, useKeyOf } from '../../lib/http/query.ts'
import { type CustomerChange, changedDetails, changedList, changedPage } from './customer-changes.ts'

interface CustomerCache {
  /** Shows a change at once; what it returns takes it back. */
  apply: (change: CustomerChange) => () => void
  /** Reads everything about the customer again. */
  refresh: () => Promise<void>
}

export function useCustomerCache(customerId: string): CustomerCache {
  const { mutate } = useSWRConfig()
  const keyOf = useKeyOf()
  const refresh = useCustomerRefresh(customerId)
  const base = `/api/portal/v1/customers/${encodeURIComponent(customerId)}/`

  function apply(change: CustomerChange): () => void {
    const before = new Map<Key, unknown>()
    const [userId, organizationId] = keyOf(base)
    const keys: Key[] = []
    void mutate(
      (key) => {
        const [user, organization, path] = Array.isArray(key) ? (key as unknown as Key) : ['', '', '']
        if (user === userId && organization === organizationId && path.startsWith(base))
          keys.push(key as unknown as Key)
        return false
      },
      undefined,
      { revalidate: false }
    )
    const put = (key: Key, changed: (current: unknown) => unknown) =>
      void mutate(key, changed, { revalidate: false })
    for (const key of keys)
      put(key, (current: unknown) => {
        before.set(key, current)
        return changed(key[2].slice(base.length), current, change)
      })
    return () => {
      for (const [key, value] of before) put(key, () => value)
    }
  }

  return { apply, refresh }
}

function changed(path: string, current: unknown, change: CustomerChange): unknown {
  if (typeof current !== 'object' || current === null) return current
  if (path === 'projects') return changedList(current as ProjectList, change)
  if (/^devices\/[^/]+$/.test(path)) return changedDetails(current as Device, change)
  if (!path.startsWith('devices?')) return current
  const projectId = new URLSearchParams(path.slice('devices?'.length)).get('projectId')
  const page = (one: DevicePage) => changedPage(one, change, projectId)
  return Array.isArray(current) ? current.map(page) : page(current as DevicePage)
}
