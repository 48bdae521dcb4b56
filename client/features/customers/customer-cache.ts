// The cached answers about one customer, changed in place before the gateway is asked again.
import { useSWRConfig } from 'swr'
import type { Device, DevicePage, ProjectList } from '#shared/entities.ts'
import { type Key, useCustomerRefresh, useKeyOf } from '../../lib/http/query.ts'
import type { ProjectEntry } from './customer.ts'

/** What becomes of projects and devices. */
export interface CustomerChange {
  projects?: (projects: readonly ProjectEntry[]) => ProjectEntry[]
  /** Null for one that is deleted. */
  device?: (device: Device) => Device | null
  /** How many devices there are more, or less. */
  devices?: number
}

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
  // One that is deleted stays until its page is left.
  if (/^devices\/[^/]+$/.test(path)) return change.device?.(current as Device) ?? current
  if (!path.startsWith('devices?')) return current
  const projectId = new URLSearchParams(path.slice('devices?'.length)).get('projectId')
  const page = (one: DevicePage) => changedPage(one, change, projectId)
  return Array.isArray(current) ? current.map(page) : page(current as DevicePage)
}

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

export function changedList(list: ProjectList, { projects, devices = 0 }: CustomerChange): ProjectList {
  const entries = projects ? projects(list.projects) : list.projects
  return {
    ...list,
    projects: entries.toSorted((a, b) => byName.compare(a.projectName, b.projectName)),
    totals: { projects: entries.length, devices: list.totals.devices + devices }
  }
}

/** @param projectId the project that the page is narrowed to */
export function changedPage(
  page: DevicePage,
  { device }: CustomerChange,
  projectId: string | null
): DevicePage {
  const items = page.items.flatMap((before) => {
    const after = device ? device(before) : before
    const isMovedAway = after !== before && projectId !== null && after?.projectId !== projectId
    return after && !isMovedAway ? [after] : []
  })
  const totalElements = page.page.totalElements - (page.items.length - items.length)
  const totalPages = Math.ceil(totalElements / page.page.size)
  return { ...page, items, page: { ...page.page, totalElements, totalPages } }
}
