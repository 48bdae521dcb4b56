// What the device table shows, as the URL says it. Pages are numbered from 1 there, for people read it.
import { DEVICE_SORTS, type DeviceSort, type SortOrder } from '#shared/devices.ts'
import { EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS } from '#shared/limits.ts'

/** The gateway answers from memory and a call that is overtaken is given up: results follow every key. */
export const DEVICE_SEARCH_THROTTLE_MS = 50

/** Services that devices are filtered by. */
export const SERVICES = ['NDS', 'Remote', 'Recover'] as const
/** Within how many days a subscription ends, as the badges tell it (§9). */
export const EXPIRIES = [EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS] as const

export const SORT_NAMES: Record<DeviceSort, string> = {
  deviceName: 'Device',
  hostId: 'Host ID',
  projectName: 'Project',
  location: 'Location'
}

export interface DeviceView {
  project: string | null
  q: string
  /** Only devices with this service. */
  service: (typeof SERVICES)[number] | null
  /** Only devices of which a subscription ends within so many days. */
  expires: (typeof EXPIRIES)[number] | null
  sort: DeviceSort
  order: SortOrder
  /** From 0. */
  page: number
}

export const FIRST_VIEW: DeviceView = {
  project: null,
  q: '',
  service: null,
  expires: null,
  sort: 'deviceName',
  order: 'asc',
  page: 0
}

const PARAMETERS = ['project', 'q', 'service', 'expires', 'sort', 'order', 'page']

export function saysView(query: URLSearchParams): boolean {
  return PARAMETERS.some((name) => query.has(name))
}

export function readView(query: URLSearchParams): DeviceView {
  const sort = DEVICE_SORTS.find((known) => known === query.get('sort'))
  const page = Number(query.get('page') ?? 1)
  return {
    project: query.get('project') || null,
    q: query.get('q') ?? '',
    service: SERVICES.find((known) => known === query.get('service')) ?? null,
    expires: EXPIRIES.find((known) => String(known) === query.get('expires')) ?? null,
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
  if (view.service) query.set('service', view.service)
  if (view.expires) query.set('expires', String(view.expires))
  if (view.sort !== FIRST_VIEW.sort) query.set('sort', view.sort)
  if (view.order !== FIRST_VIEW.order) query.set('order', view.order)
  if (view.page > 0) query.set('page', String(view.page + 1))
  return query
}

/** The view after a change: whatever changes the list starts at its first page. */
export function changedView(view: DeviceView, change: Partial<DeviceView>): DeviceView {
  return { ...view, page: 0, ...change }
}

/** Whether the view leaves devices out by anything but their project. */
export function isNarrowed({ q, service, expires }: DeviceView): boolean {
  return q.trim() !== '' || service !== null || expires !== null
}
