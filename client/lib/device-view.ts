// What the device table shows, as the URL says it. Pages are numbered from 1 there, for people read it.
import { DEVICE_SORTS, type DeviceSort, type SortOrder } from '#shared/devices.ts'

export interface DeviceView {
  project: string | null
  q: string
  sort: DeviceSort
  order: SortOrder
  /** From 0. */
  page: number
}

export const FIRST_VIEW: DeviceView = { project: null, q: '', sort: 'deviceName', order: 'asc', page: 0 }

const PARAMETERS = ['project', 'q', 'sort', 'order', 'page']

export function saysView(query: URLSearchParams): boolean {
  return PARAMETERS.some((name) => query.has(name))
}

export function readView(query: URLSearchParams): DeviceView {
  const sort = DEVICE_SORTS.find((known) => known === query.get('sort'))
  const page = Number(query.get('page') ?? 1)
  return {
    project: query.get('project') || null,
    q: query.get('q') ?? '',
    sort: sort ?? FIRST_VIEW.sort,
    order: query.get('order') === 'desc' ? 'desc' : 'asc',
    page: Number.isInteger(page) && page > 1 ? page - 1 : 0
  }
}

/** The query that says the view, without what is the default, keeping parameters of others. */
export function writeView(view: DeviceView, current: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams(current)
  for (const name of PARAMETERS) query.delete(name)
  if (view.project) query.set('project', view.project)
  if (view.q) query.set('q', view.q)
  if (view.sort !== FIRST_VIEW.sort) query.set('sort', view.sort)
  if (view.order !== FIRST_VIEW.order) query.set('order', view.order)
  if (view.page > 0) query.set('page', String(view.page + 1))
  return query
}

/** The view after a change: whatever changes the list starts at its first page. */
export function changedView(view: DeviceView, change: Partial<DeviceView>): DeviceView {
  return { ...view, page: 0, ...change }
}
