// The device list's state in the address; this browser remembers project and page for the next visit.
import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { PLAN_LEVELS } from '#shared/attention.ts'
import { DEVICE_EXPIRIES, DEVICE_SERVICES, DEVICE_SORTS, USAGE_SORT } from '#shared/devices.ts'
import { recall, remember } from '../../lib/storage.ts'
import { type ListQuery, pageNumber, useListQuery } from '../../lib/use-list-query.ts'
import { useSession } from '../session/session.ts'

/** `columns`: the chosen ones in order; `view`: the name of a saved view. */
export const FIRST_VIEW = {
  project: '',
  q: '',
  service: '',
  expires: '',
  plan: '',
  sort: 'deviceName',
  order: 'asc',
  columns: '',
  view: '',
  page: '1'
}
export type DeviceView = typeof FIRST_VIEW
type Name = keyof DeviceView

const NAMES = Object.keys(FIRST_VIEW) as Name[]
const KNOWN: Partial<Record<Name, readonly unknown[]>> = {
  service: DEVICE_SERVICES,
  expires: DEVICE_EXPIRIES,
  plan: PLAN_LEVELS,
  sort: [...DEVICE_SORTS, USAGE_SORT],
  order: ['asc', 'desc']
}

/** The view without unknown values. Sorting by data usage needs a filter by it. */
function known(view: DeviceView): DeviceView {
  const isKnown = (name: Name) => KNOWN[name]?.map(String).includes(view[name]) ?? true
  const valid = Object.fromEntries(NAMES.map((name) => [name, (isKnown(name) ? view : FIRST_VIEW)[name]]))
  const { sort, order } = FIRST_VIEW
  const unsortable = valid.sort === USAGE_SORT && !valid.plan
  const page = String(pageNumber(view.page) + 1)
  return { ...(valid as DeviceView), page, ...(unsortable ? { sort, order } : {}) }
}

export function readView(query: URLSearchParams): DeviceView {
  const view = Object.fromEntries(NAMES.map((name) => [name, query.get(name) ?? FIRST_VIEW[name]]))
  return known(view as DeviceView)
}

/** The view as a query without its defaults; other parameters stay. */
export function writeView(view: DeviceView, current = new URLSearchParams()): URLSearchParams {
  const query = new URLSearchParams(current)
  for (const name of NAMES) {
    query.delete(name)
    if (view[name] !== FIRST_VIEW[name]) query.set(name, view[name])
  }
  return query
}

/** True with any filter other than the project. */
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
  const stored = `portal.devices.${user.id}.${customerId}`
  const [begun] = useState(() => ({
    key,
    last: NAMES.some((name) => params.has(name)) ? null : lastVisit(stored)
  }))
  const restored = begun.key === key ? begun.last : null
  const view = restored ? { ...FIRST_VIEW, ...restored } : known(values)
  const { project, page } = view

  useEffect(() => {
    remember(stored, { project: project || null, page: pageNumber(page) })
  }, [stored, project, page])
  useEffect(() => {
    if (restored) write(restored, true)
  }, [restored, write])

  const change: DeviceQuery['change'] = (next, corrects) => write(sorted(next, view), corrects)
  return {
    values: view,
    defaults: FIRST_VIEW,
    change,
    clear: (...names) => change(Object.fromEntries(names.map((name) => [name, FIRST_VIEW[name]]))),
    searchFor: (next) => `?${writeView(known({ ...view, page: '1', ...next }), params)}`
  }
}

/** A filter by data usage shows the highest first. */
function sorted(next: Partial<DeviceView>, { sort, order }: DeviceView): Partial<DeviceView> {
  if (next.plan === undefined || next.sort !== undefined) return next
  if (next.plan !== '') return { ...next, sort: USAGE_SORT, order: 'desc' }
  return {
    ...next,
    ...(sort === USAGE_SORT ? { sort: FIRST_VIEW.sort, order: FIRST_VIEW.order } : { sort, order })
  }
}

function lastVisit(stored: string): Pick<DeviceView, 'project' | 'page'> | null {
  const last = recall<{ project: string | null; page: number }>(stored)
  if (!last || (last.project === null && last.page === 0)) return null
  return { project: last.project ?? '', page: String(last.page + 1) }
}
