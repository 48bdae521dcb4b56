import type { Action } from '#shared/permissions.ts'

export const paths = {
  home: '/',
  accessDenied: '/errors/authorization',
  logOut: '/logout',
  signedOut: '/signed-out',
  unsubscribe: '/unsubscribe-email',
  users: '/users',
  user: (userId: string) => `/users/${encodeURIComponent(userId)}`,
  userAccess: (userId: string, customerId: string) =>
    `${paths.user(userId)}/customer/${encodeURIComponent(customerId)}`,
  addUser: '/users/adduser',
  addUserAccess: '/users/adduser/rolesaccess',
  registerDevice: '/registerdevice',
  /** The page with customer and project preselected. */
  registerDeviceAt: (customerId: string, projectId: string | null) =>
    `${paths.registerDevice}?${new URLSearchParams({ customerId, ...(projectId ? { projectId } : {}) })}`,
  reports: '/reports',
  auditLog: '/auditlog',
  exports: '/exports',
  integrator: (organizationId: string) => `/integrators/${encodeURIComponent(organizationId)}`,
  /** The address of a page that belongs to an integrator, for a global admin who has chosen an integrator. */
  withIntegrator: (path: string, organizationId: string | null) =>
    organizationId === null ? path : `${path}?${new URLSearchParams({ organizationId })}`,
  /** A global admin sees customers under their integrator. */
  customer: (customerId: string, organizationId?: string) =>
    `${organizationId ? paths.integrator(organizationId) : ''}/customers/${encodeURIComponent(customerId)}`,
  device: (customerPath: string, deviceUuid: string) =>
    `${customerPath}/devicedetails?deviceUuid=${encodeURIComponent(deviceUuid)}`,
  deviceAlarms: (customerPath: string, deviceUuid: string) =>
    `${customerPath}/devicedetails?tab=alarms&deviceUuid=${encodeURIComponent(deviceUuid)}`,
  point: (customerPath: string, deviceUuid: string, cloudId: string) =>
    `${customerPath}/devicedetails/pointdetails?${new URLSearchParams({ deviceUuid, cloudId })}`,
  history: (customerPath: string, deviceUuid: string) =>
    `${customerPath}/devicedetails/history?${new URLSearchParams({ deviceUuid })}`,
  report: (customerPath: string, reportId: string) =>
    `${customerPath}/devicedetails/history?${new URLSearchParams({ reportId })}`,
  dataService: (customerPath: string, deviceUuid?: string) =>
    `${customerPath}/dataservice${deviceUuid ? `?${new URLSearchParams({ deviceUuid })}` : ''}`,
  alarms: (customerPath: string) => `${customerPath}/alarms`,
  savedBackups: (customerPath: string, deviceUuid?: string) =>
    `${customerPath}/savedbackups${deviceUuid ? `?${new URLSearchParams({ deviceUuid })}` : ''}`,
  serviceAccounts: (customerPath: string) => `${customerPath}/serviceaccount`,
  createServiceAccount: (customerPath: string) => `${customerPath}/serviceaccount/create`,
  serviceAccount: (customerPath: string, serviceAccountId: string) =>
    `${customerPath}/serviceaccount/${encodeURIComponent(serviceAccountId)}`
}

interface CustomerPage {
  label: string
  to: (customerPath: string) => string
  action: Action
  /** Whether the customer's projects page has a button that opens this page. */
  button?: true
}

/** The pages of a customer other than projects and devices, for people who may perform the action. */
export const CUSTOMER_PAGES: readonly CustomerPage[] = [
  { label: 'Alarms', to: paths.alarms, action: 'alarms:query' },
  { label: 'Data Service', to: paths.dataService, action: 'data:query-model', button: true },
  { label: 'Saved Backups', to: paths.savedBackups, action: 'recover:view' },
  { label: 'Service Accounts', to: paths.serviceAccounts, action: 'service-accounts:view', button: true }
]
