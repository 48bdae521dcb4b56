// What the device table shows, as the URL says it. Pages are numbered from 1 there, for people read it.
import { PLAN_LEVELS, type PlanLevel } from '#shared/attention.ts'
import { DEVICE_SORTS, type DeviceSort, ENDED_DAYS, type SortOrder, USAGE_SORT } from '#shared/devices.ts'
import { EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS } from '#shared/limits.ts'

/** Services that devices are filtered by. */
export const SERVICES = ['NDS', 'Remote', 'Recover'] as const
/** Within how many days a subscription ends, as the badges tell it; 0 for services that have ended. */
export const EXPIRIES = [EXPIRY_DANGER_DAYS, EXPIRY_WARNING_DAYS, ENDED_DAYS] as const

export interface DeviceView {
  project: string | null
  q: string
  /** Only devices with this service. */
  service: (typeof SERVICES)[number] | null
  /** Only devices of which a subscription ends within so many days. */
  expires: (typeof EXPIRIES)[number] | null
  /** Only devices whose data usage stands so against their plan. */
  plan: PlanLevel | null
  sort: DeviceSort | typeof USAGE_SORT
  order: SortOrder
  /** Which columns show and in which order; null as this browser remembers it. */
  columns: string | null
  /** What the view is called, where it was saved. */
  name: string | null
  /** From 0. */
  page: number
}

export const FIRST_VIEW: DeviceView = {
  project: null,
  q: '',
  service: null,
  expires: null,
  plan: null,
  sort: 'deviceName',
  order: 'asc',
  columns: null,
  name: null,
  page: 0
}

const PARAMETERS = ['project', 'q', 'service', 'expires', 'plan', 'sort', 'order', 'columns', 'view', 'page']

export function saysView(query: URLSearchParams): boolean {
  return PARAMETERS.some((name) => query.has(name))
}

export function readView(query: URLSearchParams): DeviceView {
  const sort = ([...DEVICE_SORTS, USAGE_SORT] as const).find((known) => known === query.get('sort'))
  const page = Number(query.get('page') ?? 1)
  return sortable({
    project: query.get('project') || null,
    q: query.get('q') ?? '',
    service: SERVICES.find((known) => known === query.get('service')) ?? null,
    expires: EXPIRIES.find((known) => String(known) === query.get('expires')) ?? null,
    plan: PLAN_LEVELS.find((known) => known === query.get('plan')) ?? null,
    sort: sort ?? FIRST_VIEW.sort,
    order: query.get('order') === 'desc' ? 'desc' : 'asc',
    columns: query.get('columns') || null,
    name: query.get('view') || null,
    page: Number.isInteger(page) && page > 1 ? page - 1 : 0
  })
}

/** Data usage is known of devices that are chosen by it. */
function sortable(view: DeviceView): DeviceView {
  const { sort, order } = FIRST_VIEW
  return view.sort === USAGE_SORT && view.plan === null ? { ...view, sort, order } : view
}

/** The query that says the view, without what is the default, keeping parameters of others. */
export function writeView(view: DeviceView, current: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams(current)
  for (const name of PARAMETERS) query.delete(name)
  if (view.project) query.set('project', view.project)
  if (view.q) query.set('q', view.q)
  if (view.service) query.set('service', view.service)
  if (view.expires !== null) query.set('expires', String(view.expires))
  if (view.plan) query.set('plan', view.plan)
  if (view.sort !== FIRST_VIEW.sort) query.set('sort', view.sort)
  if (view.order !== FIRST_VIEW.order) query.set('order', view.order)
  if (view.columns) query.set('columns', view.columns)
  if (view.name) query.set('view', view.name)
  if (view.page > 0) query.set('page', String(view.page + 1))
  return query
}

/** The view after a change: whatever changes the list starts at its first page. */
export function changedView(view: DeviceView, change: Partial<DeviceView>): DeviceView {
  return sortable({ ...view, page: 0, ...change })
}

export const NO_FILTERS = { service: null, expires: null, plan: null } as const

/** Whether the view leaves devices out by anything but their project. */
export function isNarrowed({ q, service, expires, plan }: DeviceView): boolean {
  return q.trim() !== '' || service !== null || expires !== null || plan !== null
}
