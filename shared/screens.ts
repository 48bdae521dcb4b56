// The screens of the client below client/features/, once: address and module. The client's router and links, and the gateway's
// prepared page (first-calls.ts), follow this list.

import { ALARM_LIST_SIZE } from './limits.ts'
import type { Action } from './permissions.ts'

export interface Screen {
  /** The pattern of the screen's address. */
  path: string
  /** The file of the page below client/features/. Its default export is the page. */
  module: string
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

/** The query of the list of all customers' alarms without filters. */
export const ALL_ALARMS_QUERY = { sort: 'band', order: 'asc', size: ALARM_LIST_SIZE, page: 0 } as const

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
  home: { path: '/', module: 'sites/customers/customers-page.tsx' },
  integrator: { path: '/integrators/:organizationId', module: 'sites/customers/customers-page.tsx' },
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
  allAlarms: { path: '/alarms', module: 'alarms/all-customers/all-alarms-page.tsx' },
  ...ORGANIZATION_SCREENS
} as const satisfies Readonly<Record<string, Screen>>

/** The paths of a customer. The second is for global admins, below the customer's integrator. */
export const CUSTOMER_PATHS = [
  '/customers/:customerId',
  '/integrators/:organizationId/customers/:customerId'
] as const

/** Screens of a customer, with paths below CUSTOMER_PATHS. */
export const CUSTOMER_SCREENS = {
  projects: { path: '', module: 'sites/projects/projects-page.tsx' },
  device: { path: '/devicedetails', module: 'device-details/device-page.tsx' },
  point: {
    path: '/devicedetails/pointdetails',
    module: 'device-details/point/point-page.tsx'
  },
  history: { path: '/devicedetails/history', module: 'data/history/history-page.tsx' },
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
