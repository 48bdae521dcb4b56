// Optimistic changes of cached answers about a customer.
import type { Device, DevicePage, ProjectList } from '#shared/answers/customers.ts'
import { calls } from '#shared/calls.ts'
import { compareTexts } from '#shared/text-order.ts'
import { useCacheChange, useCustomerRefresh } from '../../../lib/http/query.ts'
import type { ProjectEntry } from './customer.tsx'

export interface CustomerChange {
  projects?: (projects: readonly ProjectEntry[]) => ProjectEntry[]
  /** Returns the changed device, or null for a deleted device. */
  device?: (device: Device) => Device | null
  /** The change in the number of devices, such as -1. */
  devices?: number
}

export function useCustomerCache(customerId: string) {
  const changeCache = useCacheChange()
  const base = calls.customer(customerId)
  return {
    refresh: useCustomerRefresh(customerId),
    /** Shows a change. Returns how to revert it. */
    show: (change: CustomerChange) =>
      changeCache(base, (answer, path) => changed(path.slice(base.length), answer, change))
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
