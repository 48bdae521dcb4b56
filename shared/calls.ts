// The address of each call that the client makes, once. screens.ts links the first calls of a screen with the same addresses.
import { PAGE_SIZE_MAX } from './limits.ts'
import type { WorklistName } from './worklists.ts'

const PORTAL = '/api/portal/v1'
const MANAGEMENT = '/api/v2/management'
const REGISTRATION = '/api/v2/devicemanagement'

const encode = encodeURIComponent
const portalOrganization = (organizationId: string) => `${PORTAL}/organizations/${encode(organizationId)}`
const portalCustomer = (customerId: string) => `${PORTAL}/customers/${encode(customerId)}`

/** Parameters of a query. Empty values are not sent; a list repeats its parameter. */
export type Query = Readonly<Record<string, string | number | readonly string[] | null | undefined>>

function withQuery(path: string, query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, values] of Object.entries(query))
    for (const value of [values].flat())
      if (value !== undefined && value !== null && value !== '') parameters.append(name, String(value))
  return parameters.size > 0 ? `${path}?${parameters}` : path
}

export type DeviceCommand = 'read' | 'write' | 'clear' | 'acknowledgeAlarm' | 'editAlarmData'

/** Aggregated endpoints. */
const portalCalls = {
  bootstrap: `${PORTAL}/bootstrap`,
  me: `${PORTAL}/me`,
  /** Paths of all answers about organizations begin like this. */
  organizations: `${PORTAL}/organizations/`,
  customers: (organizationId: string) => `${portalOrganization(organizationId)}/customers`,
  attention: (organizationId: string) => `${portalOrganization(organizationId)}/attention`,
  /** The alarms of all customers of an organization that need action. */
  organizationAlarms: (organizationId: string, query: Query = {}) =>
    withQuery(`${portalOrganization(organizationId)}/alarms`, query),
  /** A list over all customers of an organization: its devices, or the rows behind a count of the start page. */
  organizationList: (
    organizationId: string,
    name: 'devices' | `worklists/${WorklistName}`,
    query: Query = {}
  ) => withQuery(`${portalOrganization(organizationId)}/${name}`, query),
  /** The live stream of a customer, of an organization's customers, or of both. */
  events: (query: { customerId?: string | undefined; organizationId?: string | undefined }) =>
    withQuery(`${PORTAL}/events`, query),
  deviceSearch: (organizationId: string) => `${portalOrganization(organizationId)}/search`,
  /** Paths of all answers about a customer begin like this. */
  customer: (customerId: string) => `${portalCustomer(customerId)}/`,
  projects: (customerId: string) => `${portalCustomer(customerId)}/projects`,
  devices: (customerId: string, query: Query) => withQuery(`${portalCustomer(customerId)}/devices`, query),
  device: (customerId: string, deviceUuid: string) =>
    `${portalCustomer(customerId)}/devices/${encode(deviceUuid)}`,
  usage: (customerId: string, deviceUuid: string) =>
    `${portalCustomer(customerId)}/devices/${encode(deviceUuid)}/usage`,
  /** The records of a saved report: a file for people who open it. */
  reportData: (customerId: string, reportId: string, query: { timeZone: string }) =>
    withQuery(`${portalCustomer(customerId)}/reports/${encode(reportId)}/data`, query),
  points: (customerId: string) => `${portalCustomer(customerId)}/points`,
  /** The points of all devices of a customer with their values. */
  pointValues: (customerId: string, query: Query = {}) =>
    withQuery(`${portalCustomer(customerId)}/points/values`, query),
  /** The alarms of a customer. */
  customerAlarms: (customerId: string, query: Query = {}) =>
    withQuery(`${portalCustomer(customerId)}/alarms`, query)
}

/** Calls that the gateway passes on to the upstream APIs. */
const proxiedCalls = {
  allProjects: `${MANAGEMENT}/projects`,
  project: (projectId: string) => `${MANAGEMENT}/projects/${encode(projectId)}`,
  managedDevice: (deviceId: string) => `${MANAGEMENT}/devices/${encode(deviceId)}`,
  /** The integrators with tech view enabled. */
  integrators: `${MANAGEMENT}/organizations/search/findByIsTechViewEnabled?enabled=true`,
  /** Paths of all answers about organizations begin like this. */
  managedOrganizations: `${MANAGEMENT}/organizations/`,
  organization: (organizationId: string) => `${MANAGEMENT}/organizations/${encode(organizationId)}`,
  techSupport: (organizationId: string) =>
    `${MANAGEMENT}/organizations/${encode(organizationId)}/techSupport`,
  auditLog: (organizationId: string) => `${MANAGEMENT}/organizations/${encode(organizationId)}/auditLogs`,
  auditActions: (organizationId: string) =>
    `${MANAGEMENT}/organizations/${encode(organizationId)}/auditLogs/search/actions`,

  registration: `${REGISTRATION}/registration`,
  licenses: (code: string) => `${REGISTRATION}/registration/${encode(code)}`,
  reregistration: `${REGISTRATION}/reregistration`,
  licensesForDevice: (code: string, deviceUuid: string) =>
    `${REGISTRATION}/reregistration/${encode(code)}/deviceUuid/${encode(deviceUuid)}`,

  roles: `${MANAGEMENT}/roles`,
  users: `${MANAGEMENT}/users`,
  organizationUsers: (organizationId: string) =>
    `${MANAGEMENT}/organizations/${encode(organizationId)}/allUsers`,
  user: (userId: string) => `${MANAGEMENT}/users/${encode(userId)}`,
  userRoles: (userId: string) => `${MANAGEMENT}/users/${encode(userId)}/roleAssignments`,
  invitations: (organizationId: string) =>
    `${MANAGEMENT}/organizations/${encode(organizationId)}/userInvitations`,
  newInvitation: `${MANAGEMENT}/userInvitations`,
  invitation: (invitationId: string) => `${MANAGEMENT}/userInvitations/${encode(invitationId)}`,
  resendInvitation: (invitationId: string) => `${MANAGEMENT}/userInvitation/${encode(invitationId)}/resend`,
  ownInvitations: `${MANAGEMENT}/myUser/userInvitations`,
  answerInvitation: (invitationId: string, answer: 'accept' | 'reject') =>
    `${MANAGEMENT}/userInvitation/${encode(invitationId)}/${answer}`,

  customerServiceAccounts: (customerId: string) =>
    `${MANAGEMENT}/organizations/${encode(customerId)}/serviceAccounts`,
  serviceAccounts: `${MANAGEMENT}/serviceAccounts`,
  serviceAccount: (id: string) => `${MANAGEMENT}/serviceAccounts/${encode(id)}`,
  serviceAccountRoles: (id: string) => `${MANAGEMENT}/serviceAccounts/${encode(id)}/roleAssignments`,
  serviceAccountSecret: (id: string) => `${MANAGEMENT}/serviceAccounts/${encode(id)}/secret`,

  alarmSearch: (customerId: string) => `/api/v1/alarms/customers/${encode(customerId)}/alarms:search`,
  /** Paths of the counts of all devices of a customer begin like this. */
  deviceAlarmCounts: (customerId: string) => `/api/v1/alarms/customers/${encode(customerId)}/devices/`,
  deviceAlarmCount: (customerId: string, deviceId: string) =>
    `/api/v1/alarms/customers/${encode(customerId)}/devices/${encode(deviceId)}/alarms/count`,
  command: (deviceId: string, name: DeviceCommand) =>
    `/api/v1/control/devices/${encode(deviceId)}/commands/${name}`,
  acknowledgeAlarms: '/api/v1/control/devices/commands/acknowledgeAlarmBatch',

  pointSearch: (customerId: string, type: 'pointNames' | 'tagNames' | 'tagValues') =>
    `/api/v1/entitymodel/customers/${encode(customerId)}/${type}`,
  telemetry: '/api/v1/egress/telemetry',
  exports: '/api/v1/egress/exports',
  export: (id: string) => `/api/v1/egress/exports/${encode(id)}`,
  exportFile: (id: string) => `/api/v1/egress/exports/${encode(id)}/download`,
  cancelExport: (id: string) => `/api/v1/egress/exports/${encode(id)}/cancel`,
  reports: (customerId: string) => `/api/v1/charts-and-reports/${encode(customerId)}/reports`,
  newReport: (customerId: string) => `/api/v1/charts-and-reports/${encode(customerId)}/report`,
  report: (customerId: string, reportId: string) =>
    `/api/v1/charts-and-reports/${encode(customerId)}/report/${encode(reportId)}`,

  notifications: (userId: string) => `/api/v1/notifier/users/${encode(userId)}/inapp`,
  notificationState: (userId: string) => `/api/v1/notifier/users/${encode(userId)}`,
  notificationPreferences: (userId: string) => `/api/v1/notifications/users/${encode(userId)}`,

  backups: (customerId: string) => `/api/v1/recover/customers/${encode(customerId)}/backups`,
  backup: (customerId: string, backupId: string) =>
    `/api/v1/recover/customers/${encode(customerId)}/backups/${encode(backupId)}`,
  backupFile: (customerId: string, backupId: string) =>
    `/api/v1/recover/customers/${encode(customerId)}/backups/${encode(backupId)}/download`
}

export const calls = { ...portalCalls, ...proxiedCalls }

/** The address of one page of a list that is read in full, with the largest pages unless the path contains a size. */
export function pageOfFullList(path: string, page: number): string {
  const [base, query] = path.split('?')
  const parameters = new URLSearchParams(query)
  if (!parameters.has('size')) parameters.set('size', String(PAGE_SIZE_MAX))
  parameters.set('page', String(page))
  return `${base}?${parameters}`
}
