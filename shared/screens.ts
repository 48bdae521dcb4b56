// The screens of the client below client/features/, once: address, module, and the calls that every visitor makes first.
// The client's router and links, and the gateway's prepared page, follow this list.

import type { Bootstrap } from './answers/portal.ts'
import { calls, pageOfFullList } from './calls.ts'
import { DEVICE_ORDER } from './devices.ts'
import { isGlobalAdmin } from './landing.ts'
import { ALARM_LIST_SIZE, DEVICE_PAGE_SIZE, DEVICE_PAGE_SIZE_MOBILE } from './limits.ts'
import type { Action } from './permissions.ts'

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

export interface Screen {
  /** The pattern of the screen's address. */
  path: string
  /** The file of the page below client/features/. Its default export is the page. */
  module: string
  firstCalls?: (visit: Visit) => FirstCall[]
}

/** How a page of a customer is offered to people who may perform the action. */
export interface CustomerLink {
  label: string
  action: Action
  /** Whether the customer's first page has a button that opens this page. */
  button?: true
}

interface CustomerScreen extends Screen {
  link?: CustomerLink
}

// The same media queries as in useTablet and useLayout (client/lib/layout.ts).
const WIDE_WITH_MOUSE = '(min-width: 1280px) and (pointer: fine)'
const NARROW_OR_TOUCH = '(max-width: 1279.98px), (pointer: coarse)'

/** The query of the list of all customers' alarms without filters. */
export const ALL_ALARMS_QUERY = { sort: 'band', order: 'asc', size: ALARM_LIST_SIZE, page: 0 } as const

function attention({ params, bootstrap }: Visit): FirstCall[] {
  const organizationId = params.organizationId ?? bootstrap?.user.organizationId
  return organizationId == null ? [] : [{ path: calls.attention(organizationId) }]
}

function allAlarms({ query, bootstrap }: Visit): FirstCall[] {
  const organizationId = query.get('organizationId') ?? bootstrap?.user.organizationId
  const hasFilters = [...query.keys()].some((name) => name !== 'organizationId')
  if (organizationId == null || hasFilters) return []
  return [{ path: calls.organizationAlarms(organizationId, ALL_ALARMS_QUERY) }]
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

interface OrganizationScreen extends Screen {
  action: Action
}

/** Screens of the person's organization, or of a global admin's chosen integrator, for people who may perform the action anywhere. */
export const ORGANIZATION_SCREENS = {
  reports: { path: '/reports', module: 'data/reports/reports-page.tsx', action: 'reports:view' },
  auditLog: { path: '/auditlog', module: 'people/audit-log/audit-log-page.tsx', action: 'audit-log:view' },
  exports: { path: '/exports', module: 'data/exports/exports-page.tsx', action: 'exports:view' },
  worklist: { path: '/worklists/:list', module: 'sites/worklists/worklist-page.tsx', action: 'devices:view' }
} as const satisfies Readonly<Record<string, OrganizationScreen>>

/** Screens outside a customer. Fixed paths precede those with parameters, because the gateway takes the first that matches. */
export const SCREENS = {
  home: { path: '/', module: 'sites/customers/customers-page.tsx', firstCalls: attention },
  integrator: {
    path: '/integrators/:organizationId',
    module: 'sites/customers/customers-page.tsx',
    firstCalls: attention
  },
  users: { path: '/users', module: 'people/users/users-page.tsx' },
  addUser: { path: '/users/adduser', module: 'people/users/invitations/add-user-page.tsx' },
  addUserAccess: {
    path: '/users/adduser/rolesaccess',
    module: 'people/users/invitations/add-user-access-page.tsx'
  },
  user: { path: '/users/:userId', module: 'people/users/person/user-page.tsx' },
  userAccess: {
    path: '/users/:userId/customer/:customerId',
    module: 'people/users/person/manage-access-page.tsx'
  },
  registerDevice: { path: '/registerdevice', module: 'sites/registration/register-device-page.tsx' },
  allAlarms: {
    path: '/alarms',
    module: 'alarms/all-customers/all-alarms-page.tsx',
    firstCalls: allAlarms
  },
  ...ORGANIZATION_SCREENS
} as const satisfies Readonly<Record<string, Screen>>

/** The paths of a customer. The second is for global admins, below the customer's integrator. */
export const CUSTOMER_PATHS = [
  '/customers/:customerId',
  '/integrators/:organizationId/customers/:customerId'
] as const

/** Screens of a customer, with paths below CUSTOMER_PATHS. Each also loads the customer's projects first. */
export const CUSTOMER_SCREENS = {
  projects: { path: '', module: 'sites/projects/projects-page.tsx', firstCalls: devices },
  device: { path: '/devicedetails', module: 'device-details/device-page.tsx', firstCalls: device },
  point: {
    path: '/devicedetails/pointdetails',
    module: 'device-details/point/point-page.tsx',
    firstCalls: device
  },
  history: { path: '/devicedetails/history', module: 'data/history/history-page.tsx', firstCalls: device },
  bulkEdit: {
    path: '/editdevices',
    module: 'sites/devices/bulk-edit/bulk-edit-page.tsx',
    link: { label: 'Edit devices as CSV', action: 'devices:edit' }
  },
  alarms: {
    path: '/alarms',
    module: 'alarms/alarms/alarms-page.tsx',
    link: { label: 'Alarms', action: 'alarms:query' }
  },
  sitePoints: {
    path: '/points',
    module: 'device-details/site-points/site-points-page.tsx',
    link: { label: 'Points', action: 'data:query', button: true }
  },
  dataService: {
    path: '/dataservice',
    module: 'data/data-service/data-service-page.tsx',
    link: { label: 'Data Service', action: 'data:query-model', button: true }
  },
  savedBackups: {
    path: '/savedbackups',
    module: 'recover/backups/backups-page.tsx',
    link: { label: 'Saved Backups', action: 'recover:view' }
  },
  serviceAccounts: {
    path: '/serviceaccount',
    module: 'people/service-accounts/service-accounts-page.tsx',
    link: { label: 'Service Accounts', action: 'service-accounts:view', button: true }
  },
  createServiceAccount: {
    path: '/serviceaccount/create',
    module: 'people/service-accounts/create-page.tsx'
  },
  serviceAccount: {
    path: '/serviceaccount/:serviceAccountId',
    module: 'people/service-accounts/account-page.tsx'
  }
} as const satisfies Readonly<Record<string, CustomerScreen>>

export type ScreenName = keyof typeof SCREENS | keyof typeof CUSTOMER_SCREENS

/** All screens with their full paths. If two paths match an address, the earlier screen is the one. */
export const ALL_SCREENS: readonly Screen[] = [
  ...Object.values(SCREENS),
  ...CUSTOMER_PATHS.flatMap((customerPath) =>
    Object.values(CUSTOMER_SCREENS).map((screen: Screen) => ({
      path: `${customerPath}${screen.path}`,
      module: screen.module,
      firstCalls: (visit: Visit) => [...projects(visit), ...(screen.firstCalls?.(visit) ?? [])]
    }))
  )
]

/** The calls of the frame around every screen. */
export function firstCallsOfFrame(bootstrap: Bootstrap | null): FirstCall[] {
  return bootstrap && isGlobalAdmin(bootstrap) ? [{ path: pageOfFullList(calls.integrators, 0) }] : []
}
