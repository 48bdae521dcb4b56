// The device list's state in the address. The browser remembers the project and page for the next visit.
import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { PLAN_LEVELS } from '#shared/attention.ts'
import {
  DEVICE_EXPIRIES,
  DEVICE_ORDER,
  DEVICE_SERVICES,
  DEVICE_SORTS,
  END_SORT,
  USAGE_SORT
} from '#shared/devices.ts'
import { useSession } from '../../../lib/session/session.ts'
import { recall, remember } from '../../../lib/storage.ts'
import { type ListQuery, pageNumber, useListQuery } from '../../../lib/use-list-query.ts'

/** `columns`: the ids of the chosen columns in order; `view`: the name of a saved view. */
export const FIRST_VIEW = {
  project: '',
  q: '',
  service: '',
  expires: '',
  plan: '',
  sort: DEVICE_ORDER.sort,
  order: DEVICE_ORDER.order,
  columns: '',
  view: '',
  page: '1'
}
export type DeviceView = typeof FIRST_VIEW
type Name = keyof DeviceView

const NAMES = Object.keys(FIRST_VIEW) as Name[]
const ALLOWED_VALUES: Partial<Record<Name, readonly unknown[]>> = {
  service: DEVICE_SERVICES,
  expires: DEVICE_EXPIRIES,
  plan: PLAN_LEVELS,
  sort: [...DEVICE_SORTS, END_SORT, USAGE_SORT],
  order: ['asc', 'desc']
}

/** Replaces invalid values by defaults. Sorting by data usage requires a filter by data usage. */
function withValidValues(view: DeviceView): DeviceView {
  const isAllowed = (name: Name) => ALLOWED_VALUES[name]?.map(String).includes(view[name]) ?? true
  const valid = Object.fromEntries(NAMES.map((name) => [name, (isAllowed(name) ? view : FIRST_VIEW)[name]]))
  const { sort, order } = FIRST_VIEW
  const unsortable = valid.sort === USAGE_SORT && !valid.plan
  const page = String(pageNumber(view.page) + 1)
  return { ...(valid as DeviceView), page, ...(unsortable ? { sort, order } : {}) }
}

export function readView(query: URLSearchParams): DeviceView {
  const view = Object.fromEntries(NAMES.map((name) => [name, query.get(name) ?? FIRST_VIEW[name]]))
  return withValidValues(view as DeviceView)
}

/** The view as a query, without default values. Parameters of `current` outside the view stay. */
export function writeView(view: DeviceView, current = new URLSearchParams()): URLSearchParams {
  const query = new URLSearchParams(current)
  for (const name of NAMES) {
    query.delete(name)
    if (view[name] !== FIRST_VIEW[name]) query.set(name, view[name])
  }
  return query
}

/** Whether the view has a filter other than the project. */
export function isNarrowed({ q, service, expires, plan }: DeviceView): boolean {
  return [q.trim(), service, expires, plan].some(Boolean)
}

export interface DeviceQuery extends ListQuery<DeviceView> {
  /** The query of the view after a change, for links. */
  searchFor: (change: Partial<DeviceView>) => string
}

/** Restores page and project of the last visit if the first address has no parameter of the view. */
export function useDeviceView(customerId: string): DeviceQuery {
  const { user } = useSession()
  const { key } = useLocation()
  const [params] = useSearchParams()
  const { values, change: write } = useListQuery(FIRST_VIEW)
  const storageKey = `portal.devices.${user.id}.${customerId}`
  const [firstEntry] = useState(() => ({
    key,
    last: NAMES.some((name) => params.has(name)) ? null : lastVisit(storageKey)
  }))
  const lastValues = firstEntry.key === key ? firstEntry.last : null
  const view = lastValues ? { ...FIRST_VIEW, ...lastValues } : withValidValues(values)
  const { project, page } = view

  useEffect(() => {
    remember(storageKey, { project: project || null, page: pageNumber(page) })
  }, [storageKey, project, page])
  useEffect(() => {
    if (lastValues) write(lastValues, true)
  }, [lastValues, write])

  const change: DeviceQuery['change'] = (next, corrects) => write(withSort(next, view), corrects)
  return {
    values: view,
    defaults: FIRST_VIEW,
    change,
    clear: (...names) => change(Object.fromEntries(names.map((name) => [name, FIRST_VIEW[name]]))),
    searchFor: (next) => `?${writeView(withValidValues({ ...view, page: '1', ...next }), params)}`
  }
}

/** Adds the sort to a change of the data usage filter: with the filter, the highest usage comes first. */
function withSort(next: Partial<DeviceView>, { sort, order }: DeviceView): Partial<DeviceView> {
  if (next.plan === undefined || next.sort !== undefined) return next
  if (next.plan !== '') return { ...next, sort: USAGE_SORT, order: 'desc' }
  return {
    ...next,
    ...(sort === USAGE_SORT ? { sort: FIRST_VIEW.sort, order: FIRST_VIEW.order } : { sort, order })
  }
}

function lastVisit(storageKey: string): Pick<DeviceView, 'project' | 'page'> | null {
  const last = recall<{ project: string | null; page: number }>(storageKey)
  if (!last || (last.project === null && last.page === 0)) return null
  return { project: last.project ?? '', page: String(last.page + 1) }
}
