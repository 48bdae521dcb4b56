// The addresses of the screens, built from their paths in shared/screens.ts.
import { generatePath } from 'react-router-dom'
import { CUSTOMER_PATHS, CUSTOMER_SCREENS, type CustomerLink, SCREENS } from '#shared/screens.ts'
import type { WorklistName } from '#shared/worklists.ts'

const [CUSTOMER, CUSTOMER_OF_INTEGRATOR] = CUSTOMER_PATHS

type Query = Record<string, string | null | undefined>

/** The path with those values that are given. */
export function withQuery(path: string, query: Query): string {
  const given = new URLSearchParams(Object.entries(query).filter(([, value]) => value) as [string, string][])
  return given.size > 0 ? `${path}?${given}` : path
}

export const paths = {
  home: SCREENS.home.path,
  accessDenied: '/errors/authorization',
  logOut: '/logout',
  signedOut: '/signed-out',
  unsubscribe: '/unsubscribe-email',
  users: SCREENS.users.path,
  user: (userId: string) => generatePath(SCREENS.user.path, { userId }),
  userAccess: (userId: string, customerId: string) =>
    generatePath(SCREENS.userAccess.path, { userId, customerId }),
  addUser: SCREENS.addUser.path,
  addUserAccess: SCREENS.addUserAccess.path,
  registerDevice: SCREENS.registerDevice.path,
  /** The page with customer and project preselected. */
  registerDeviceAt: (customerId: string, projectId: string | null) =>
    withQuery(SCREENS.registerDevice.path, { customerId, projectId }),
  reports: SCREENS.reports.path,
  auditLog: SCREENS.auditLog.path,
  exports: SCREENS.exports.path,
  allAlarms: SCREENS.allAlarms.path,
  /** A list of all customers: behind the counts of the start page, or of all devices. */
  worklist: (list: WorklistName | 'devices', query: Query) =>
    withQuery(generatePath(SCREENS.worklist.path, { list }), query),
  integrator: (organizationId: string) => generatePath(SCREENS.integrator.path, { organizationId }),
  /** The address of a page that belongs to an integrator, for a global admin who has chosen an integrator. */
  withIntegrator: (path: string, organizationId: string | null) => withQuery(path, { organizationId }),
  /** A global admin sees customers under their integrator. */
  customer: (customerId: string, organizationId?: string) =>
    organizationId
      ? generatePath(CUSTOMER_OF_INTEGRATOR, { organizationId, customerId })
      : generatePath(CUSTOMER, { customerId }),
  /** The page that edits the devices of a query of the device list. */
  bulkEdit: (customerPath: string, query = '') => `${customerPath}${CUSTOMER_SCREENS.bulkEdit.path}${query}`,
  device: (customerPath: string, deviceUuid: string) =>
    withQuery(customerPath + CUSTOMER_SCREENS.device.path, { deviceUuid }),
  deviceAlarms: (customerPath: string, deviceUuid: string) =>
    withQuery(customerPath + CUSTOMER_SCREENS.device.path, { tab: 'alarms', deviceUuid }),
  point: (customerPath: string, deviceUuid: string, cloudId: string) =>
    withQuery(customerPath + CUSTOMER_SCREENS.point.path, { deviceUuid, cloudId }),
  history: (customerPath: string, deviceUuid: string) =>
    withQuery(customerPath + CUSTOMER_SCREENS.history.path, { deviceUuid }),
  report: (customerPath: string, reportId: string) =>
    withQuery(customerPath + CUSTOMER_SCREENS.history.path, { reportId }),
  dataService: (customerPath: string, deviceUuid?: string) =>
    withQuery(customerPath + CUSTOMER_SCREENS.dataService.path, { deviceUuid }),
  /** The points of this name of all devices of a customer. */
  sitePoints: (customerPath: string, name: string) =>
    withQuery(customerPath + CUSTOMER_SCREENS.sitePoints.path, { name }),
  alarms: (customerPath: string) => customerPath + CUSTOMER_SCREENS.alarms.path,
  savedBackups: (customerPath: string, deviceUuid?: string) =>
    withQuery(customerPath + CUSTOMER_SCREENS.savedBackups.path, { deviceUuid }),
  serviceAccounts: (customerPath: string) => customerPath + CUSTOMER_SCREENS.serviceAccounts.path,
  createServiceAccount: (customerPath: string) => customerPath + CUSTOMER_SCREENS.createServiceAccount.path,
  serviceAccount: (customerPath: string, serviceAccountId: string) =>
    customerPath + generatePath(CUSTOMER_SCREENS.serviceAccount.path, { serviceAccountId })
}

interface CustomerPage extends CustomerLink {
  to: (customerPath: string) => string
}

/** The pages of a customer other than projects and devices, for people who may perform the action. */
export const CUSTOMER_PAGES: readonly CustomerPage[] = Object.values(CUSTOMER_SCREENS).flatMap((screen) =>
  'link' in screen ? [{ ...screen.link, to: (customerPath: string) => customerPath + screen.path }] : []
)
