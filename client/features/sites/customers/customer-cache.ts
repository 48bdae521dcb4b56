// Optimistic changes of cached answers about a customer.
import { useSWRConfig } from 'swr'
import type { Device, DevicePage, ProjectList } from '#shared/answers/customers.ts'
import { calls } from '#shared/calls.ts'
import { compareTexts } from '#shared/text-order.ts'
import { type Key, useCustomerRefresh, useKeyOf } from '../../../lib/http/query.ts'
import type { ProjectEntry } from './customer.ts'

export interface CustomerChange {
  projects?: (projects: readonly ProjectEntry[]) => ProjectEntry[]
  /** Returns the changed device, or null for a deleted device. */
  device?: (device: Device) => Device | null
  /** The change in the number of devices, such as -1. */
  devices?: number
}

export function useCustomerCache(customerId: string) {
  const { mutate } = useSWRConfig()
  const keyOf = useKeyOf()
  const refresh = useCustomerRefresh(customerId)
  const base = calls.customer(customerId)

  function keysOfCustomer(): Key[] {
    const [userId, organizationId] = keyOf(base)
    const keys: Key[] = []
    const collect = (key: unknown) => {
      const [user, organization, path] = Array.isArray(key) ? (key as unknown as Key) : ['', '', '']
      if (user === userId && organization === organizationId && path.startsWith(base)) keys.push(key as Key)
      return false
    }
    void mutate(collect, undefined, { revalidate: false })
    return keys
  }

  return {
    refresh,
    /** Shows a change immediately, and reverts it if `send` rejects. */
    async change<T>(change: CustomerChange, send: () => Promise<T>): Promise<T> {
      const previousData = new Map<Key, unknown>()
      const updateCache = (key: Key, next: (current: unknown) => unknown) =>
        void mutate(key, next, { revalidate: false })
      for (const key of keysOfCustomer())
        updateCache(key, (current) => {
          previousData.set(key, current)
          return changed(key[2].slice(base.length), current, change)
        })
      try {
        return await send()
      } catch (error) {
        for (const [key, value] of previousData) updateCache(key, () => value)
        throw error
      }
    }
  }
}

function changed(path: string, current: unknown, change: CustomerChange): unknown {
  if (typeof current !== 'object' || current === null) return current
  if (path === 'projects') return changedList(current as ProjectList, change)
  // The page of a deleted device keeps its data.
  if (/^devices\/[^/]+$/.test(path)) return change.device?.(current as Device) ?? current
  if (!path.startsWith('devices?')) return current
  const projectId = new URLSearchParams(path.slice('devices?'.length)).get('projectId')
  const page = (devicePage: DevicePage) => changedPage(devicePage, change, projectId)
  return Array.isArray(current) ? current.map(page) : page(current as DevicePage)
}

export function changedList(list: ProjectList, { projects, devices = 0 }: CustomerChange): ProjectList {
  const entries = projects ? projects(list.projects) : list.projects
  return {
    ...list,
    projects: entries.toSorted((a, b) => compareTexts(a.projectName, b.projectName)),
    totals: { projects: entries.length, devices: list.totals.devices + devices }
  }
}

/** @param projectId the project filter of the page */
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
