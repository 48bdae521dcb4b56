// The calls that every visitor of a screen makes first, for the gateway's prepared page. The client does not need this file.

import type { Bootstrap } from './answers/portal.ts'
import { calls, pageOfFullList } from './calls.ts'
import { DEVICE_ORDER } from './devices.ts'
import { isGlobalAdmin } from './landing.ts'
import { DEVICE_PAGE_SIZE, DEVICE_PAGE_SIZE_MOBILE, ORGANIZATION_LIST_SIZE } from './limits.ts'
import {
  ALL_ALARMS_QUERY,
  CUSTOMER_PATHS,
  CUSTOMER_SCREENS,
  SCREENS,
  type Screen,
  type ScreenName
} from './screens.ts'
import { WORKLIST_NAMES, WORKLISTS } from './worklists.ts'

/** A GET of the API. With `media`, only for browsers that match it. */
export interface FirstCall {
  path: string
  media?: string
}

export interface Visit {
  /** Parameters of the address. */
  params: Readonly<Record<string, string | undefined>>
  query: URLSearchParams
  /** Null if it is not known yet. */
  bootstrap: Bootstrap | null
}

// The same media queries as in useTablet and useLayout (client/lib/layout.ts).
const WIDE_WITH_MOUSE = '(min-width: 1280px) and (pointer: fine)'
const NARROW_OR_TOUCH = '(max-width: 1279.98px), (pointer: coarse)'

function attention({ params, bootstrap }: Visit): FirstCall[] {
  const organizationId = params.organizationId ?? bootstrap?.user.organizationId
  return organizationId == null ? [] : [{ path: calls.attention(organizationId) }]
}

/** The organization of a list of all customers; null if the address has filters. */
function unfilteredOrganization({ query, bootstrap }: Visit): string | null {
  const hasFilters = [...query.keys()].some((name) => name !== 'organizationId')
  return hasFilters ? null : (query.get('organizationId') ?? bootstrap?.user.organizationId ?? null)
}

function allAlarms(visit: Visit): FirstCall[] {
  const organizationId = unfilteredOrganization(visit)
  return organizationId === null ? [] : [{ path: calls.organizationAlarms(organizationId, ALL_ALARMS_QUERY) }]
}

function worklist(visit: Visit): FirstCall[] {
  const organizationId = unfilteredOrganization(visit)
  if (organizationId === null) return []
  const { list } = visit.params
  const firstPage = { page: 0, size: ORGANIZATION_LIST_SIZE }
  if (list === 'devices')
    return [{ path: calls.organizationList(organizationId, 'devices', { ...DEVICE_ORDER, ...firstPage }) }]
  return WORKLIST_NAMES.filter((name) => name === list).map((name) => ({
    path: calls.organizationList(organizationId, `worklists/${name}`, {
      ...WORKLISTS[name].order,
      ...firstPage
    })
  }))
}

function projects({ params }: Visit): FirstCall[] {
  return [{ path: calls.projects(params.customerId ?? '') }]
}

function devices({ params, query }: Visit): FirstCall[] {
  if (query.size > 0) return []
  const firstPage = (size: number) =>
    calls.devices(params.customerId ?? '', { ...DEVICE_ORDER, size, page: 0 })
  return [
    { path: firstPage(DEVICE_PAGE_SIZE), media: WIDE_WITH_MOUSE },
    { path: firstPage(DEVICE_PAGE_SIZE_MOBILE), media: NARROW_OR_TOUCH }
  ]
}

function device({ params, query }: Visit): FirstCall[] {
  const deviceUuid = query.get('deviceUuid')
  return deviceUuid ? [{ path: calls.device(params.customerId ?? '', deviceUuid) }] : []
}

const FIRST_CALLS: Partial<Record<ScreenName, (visit: Visit) => FirstCall[]>> = {
  home: attention,
  integrator: attention,
  allAlarms,
  projects: devices,
  device,
  point: device,
  history: device,
  worklist
}

/** A screen with its full path. */
interface FullScreen extends Screen {
  firstCalls: (visit: Visit) => FirstCall[]
}

const firstCallsOf = (name: string) => FIRST_CALLS[name as ScreenName] ?? (() => [])

/** All screens with their full paths. If two paths match an address, the earlier screen is the one. */
export const ALL_SCREENS: readonly FullScreen[] = [
  ...Object.entries(SCREENS).map(([name, screen]) => ({ ...screen, firstCalls: firstCallsOf(name) })),
  ...CUSTOMER_PATHS.flatMap((customerPath) =>
    Object.entries(CUSTOMER_SCREENS).map(([name, { path, module }]: [string, Screen]) => ({
      path: `${customerPath}${path}`,
      module,
      // Each screen of a customer also loads the projects first.
      firstCalls: (visit: Visit) => [...projects(visit), ...firstCallsOf(name)(visit)]
    }))
  )
]

/** The calls of the frame around every screen. */
export function firstCallsOfFrame(bootstrap: Bootstrap | null): FirstCall[] {
  return bootstrap && isGlobalAdmin(bootstrap) ? [{ path: pageOfFullList(calls.integrators, 0) }] : []
}
