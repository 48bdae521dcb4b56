// The module and the first calls of each screen of the client, which page.ts adds to the page.
// test/e2e/prepared-page.long.test.ts fails on calls that a screen does not use.
import type { Bootstrap } from '#shared/entities.ts'
import { isGlobalAdmin, landingOf } from '#shared/landing.ts'
import { DEVICE_PAGE_SIZE, DEVICE_PAGE_SIZE_MOBILE, PAGE_SIZE_MAX } from '#shared/limits.ts'

/** A GET of the API. With `media`, only for browsers that match it. */
export interface FirstCall {
  path: string
  media?: string
}

interface Visit {
  /** Parameters of the path, percent-encoded. */
  params: Readonly<Record<string, string | undefined>>
  query: URLSearchParams
  /** Null if it is not known yet. */
  bootstrap: Bootstrap | null
}
type Calls = (visit: Visit) => FirstCall[]
/** The path is that of the client's router; the module is below client/features/. */
type Row = [path: string, module: string, calls?: Calls]

const API = '/api/portal/v1'
const INTEGRATORS = `/api/v2/management/organizations/search/findByIsTechViewEnabled?enabled=true&size=${PAGE_SIZE_MAX}&page=0`
// The same media queries as in useTablet and useLayout (client/lib/layout.ts).
const DESK = '(min-width: 1280px) and (pointer: fine)'
const SMALLER = '(max-width: 1279.98px), (pointer: coarse)'

const attention: Calls = ({ params, bootstrap }) => {
  const organizationId = params.organizationId ?? bootstrap?.user.organizationId
  return organizationId == null ? [] : [{ path: `${API}/organizations/${organizationId}/attention` }]
}

const devices: Calls = ({ params, query }) => {
  if (query.size > 0) return []
  const path = `${API}/customers/${params.customerId}/devices?sort=deviceName&order=asc`
  return [
    { path: `${path}&size=${DEVICE_PAGE_SIZE}&page=0`, media: DESK },
    { path: `${path}&size=${DEVICE_PAGE_SIZE_MOBILE}&page=0`, media: SMALLER }
  ]
}

const device: Calls = ({ params, query }) => {
  const uuid = query.get('deviceUuid')
  return uuid ? [{ path: `${API}/customers/${params.customerId}/devices/${encodeURIComponent(uuid)}` }] : []
}

const CUSTOMER_SCREENS: readonly Row[] = [
  ['', 'sites/projects/projects-page.tsx', devices],
  ['/devicedetails', 'data/device-details/device-page.tsx', device],
  ['/devicedetails/pointdetails', 'data/device-details/point/point-page.tsx', device],
  ['/devicedetails/history', 'data/history/history-page.tsx', device],
  ['/dataservice', 'data/data-service/data-service-page.tsx'],
  ['/savedbackups', 'recover/backups/backups-page.tsx'],
  ['/alarms', 'alarms/alarms/alarms-page.tsx'],
  ['/serviceaccount', 'people/service-accounts/service-accounts-page.tsx']
]

const SCREENS: readonly Row[] = [
  ['/', 'sites/customers/customers-page.tsx', attention],
  ['/integrators/:organizationId', 'sites/customers/customers-page.tsx', attention],
  ...['', '/integrators/:organizationId'].flatMap((base) =>
    CUSTOMER_SCREENS.map(([path, module, calls]): Row => {
      const projects = (customerId = '') => ({ path: `${API}/customers/${customerId}/projects` })
      const screenCalls: Calls = (visit) => [projects(visit.params.customerId), ...(calls?.(visit) ?? [])]
      return [`${base}/customers/:customerId${path}`, module, screenCalls]
    })
  ),
  ['/users', 'people/users/users-page.tsx'],
  ['/users/:userId', 'people/users/person/user-page.tsx'],
  ['/registerdevice', 'sites/registration/register-device-page.tsx'],
  ['/reports', 'data/reports/reports-page.tsx'],
  ['/auditlog', 'people/audit-log/audit-log-page.tsx'],
  ['/exports', 'data/exports/exports-page.tsx']
]

/** First path segments of the screens. */
export const FIRST_SEGMENTS = [...new Set(SCREENS.map(([path]) => path.split('/')[1] ?? ''))]

const PATTERNS = SCREENS.map(([path, module, calls]) => ({
  pattern: new URLPattern({ pathname: path }),
  module: `features/${module}`,
  calls
}))

/**
 * The module and first calls of an address; the module is null if the address has no screen here. Without a bootstrap, only
 * what the address itself says.
 */
export function startOf(
  url: URL,
  bootstrap: Bootstrap | null
): { module: string | null; calls: FirstCall[] } {
  const pathname = url.pathname === '/' && bootstrap ? landingPath(bootstrap) : url.pathname
  const calls = bootstrap && isGlobalAdmin(bootstrap) ? [{ path: INTEGRATORS }] : []
  for (const { pattern, module, calls: callsOf } of PATTERNS) {
    const params = pattern.exec({ pathname })?.pathname.groups
    if (params)
      return {
        module,
        calls: [...calls, ...(callsOf?.({ params, query: url.searchParams, bootstrap }) ?? [])]
      }
  }
  return { module: null, calls }
}

function landingPath(bootstrap: Bootstrap): string {
  const landing = landingOf(bootstrap)
  if (landing.to === 'users-and-roles') return '/users'
  return landing.to === 'customer' ? `/customers/${encodeURIComponent(landing.customerId)}` : '/'
}
