// Schemas of the lists of devices over all customers, in answers of the gateway's own endpoints.
import Type, { type Static, type TProperties } from 'typebox'
import { PLAN_LEVELS } from '../attention.ts'
import { CustomerName, Device } from './customers.ts'
import { count, named, oneOf, pageOf, text, textOrNull, time, timeOrNull } from './parts.ts'

const row = {
  customer: CustomerName,
  device: Type.Object({
    deviceUuid: text(),
    deviceName: text(),
    hostId: text(),
    projectName: textOrNull()
  })
}

const ServiceRow = named('ServiceRow', {
  ...row,
  service: text('`NDS` (data services), `Remote` or `Recover`.'),
  endDate: time('When the last subscription has ended, or the first active one ends.')
})
/** A service that has ended, or ends soon. */
export type ServiceRow = Static<typeof ServiceRow>

const PlanRow = named('PlanRow', {
  ...row,
  planLimit: Type.Number({ description: 'Plan limit in GB.' }),
  used: Type.Number({ description: 'Usage in the period, in GB.' }),
  percent: Type.Number({ description: 'Usage in percent of the plan limit; above 100 if it is exceeded.' }),
  level: oneOf(PLAN_LEVELS, '`warning` from 80 %, `exceeded` above 100 %.')
})
/** A plan whose usage is close to its limit, or above. */
export type PlanRow = Static<typeof PlanRow>

const BackupRow = named('BackupRow', {
  ...row,
  lastBackup: timeOrNull('When the last complete backup was made; null if none was found.'),
  noneSince: timeOrNull(
    'If `lastBackup` is null: there is no complete backup since this time. Null if there is none at all.'
  )
})
/** A device with Recover, but without a complete backup in the last 30 days. */
export type BackupRow = Static<typeof BackupRow>

const readTime = timeOrNull('When the oldest of these rows were read; null before the first.')
const partialCustomers = Type.Array(CustomerName, {
  description: 'Customers that have not been read completely yet, or could not be read the last time.'
})

const summaryOf = <P extends TProperties>(counts: P) => ({
  totals: Type.Array(
    Type.Object({
      customer: CustomerName,
      ...counts,
      rows: count('Number of its rows in the list.'),
      more: count('Number of further rows, which are not in the list.'),
      readAt: time('When they were read.')
    }),
    { description: 'The customers that have been read, sorted by name. Filters do not change them.' }
  ),
  partial: partialCustomers,
  readAt: readTime
})

const SERVICE_COUNTS = {
  ended: count('Devices with an ended service that has no later subscription.'),
  ending: count('Devices with a service that ends within 30 days.')
}
const PLAN_COUNTS = {
  exceeded: count('Devices with data usage above the plan limit.'),
  warning: count('Devices with data usage from 80 % to 100 % of the plan limit.'),
  unread: count('Plans whose usage has not been read yet.')
}
const BACKUP_COUNTS = {
  missing: count('Devices with Recover, but without a good backup in the last 30 days.')
}

export const ServiceWorklist = named('ServiceWorklist', {
  ...pageOf(ServiceRow),
  ...summaryOf(SERVICE_COUNTS)
})
export const PlanWorklist = named('PlanWorklist', { ...pageOf(PlanRow), ...summaryOf(PLAN_COUNTS) })
export const BackupWorklist = named('BackupWorklist', { ...pageOf(BackupRow), ...summaryOf(BACKUP_COUNTS) })

/** The answers of a list: one JSON text, and the lines of NDJSON, of which the first sums up the customers. */
export const WORKLIST_ANSWERS = {
  services: { page: ServiceWorklist, line: Type.Union([Type.Object(summaryOf(SERVICE_COUNTS)), ServiceRow]) },
  plans: { page: PlanWorklist, line: Type.Union([Type.Object(summaryOf(PLAN_COUNTS)), PlanRow]) },
  backups: { page: BackupWorklist, line: Type.Union([Type.Object(summaryOf(BACKUP_COUNTS)), BackupRow]) }
} as const

export type Worklists = {
  services: Static<typeof ServiceWorklist>
  plans: Static<typeof PlanWorklist>
  backups: Static<typeof BackupWorklist>
}

const DeviceRow = named('DeviceRow', {
  ...Device.properties,
  customer: CustomerName,
  nearestEnd: timeOrNull('When its first active subscription ends; null without one.')
})
/** A device in a list of several customers. */
export type DeviceRow = Static<typeof DeviceRow>

const deviceSummary = {
  customers: Type.Object(
    { read: count(), of: count() },
    {
      description:
        '`of`: number of customers whose devices the caller may view; `read`: those that have been read completely.'
    }
  ),
  partial: partialCustomers,
  readAt: readTime
}
export const OrganizationDevices = named('OrganizationDevices', { ...pageOf(DeviceRow), ...deviceSummary })
export type OrganizationDevices = Static<typeof OrganizationDevices>
export const OrganizationDeviceLine = Type.Union([Type.Object(deviceSummary), DeviceRow])
