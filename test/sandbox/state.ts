// The data that the upstream APIs answer from, in memory.
import type { AuditEntry } from './api/audit.ts'
import { CustomerRecords } from './records/customer-records.ts'
import type {
  InvitationRecord,
  NotificationRecord,
  PreferenceRecord,
  ServiceAccountRecord,
  UserRecord
} from './records/people.ts'
import type {
  CodeUse,
  DeviceRecord,
  OrganizationRecord,
  ProjectRecord,
  SubscriptionRecord
} from './records/sites.ts'
import type { AlarmChanges, BackupChanges, ExportRecord, OfferedFile, ReportRecord } from './records/work.ts'
import type { Occurrence } from './simulation/alarm-times.ts'
import type { PointWrites } from './simulation/values.ts'

export type { UserRecord } from './records/people.ts'

export interface State {
  /** Milliseconds since the epoch; decides every date and expiry of the data. */
  clock: () => number
  /** When this world began, by the clock: what is made up later is of the same day. */
  startedMs: number
  organizations: Map<string, OrganizationRecord>
  users: Map<string, UserRecord>
  invitations: Map<string, InvitationRecord>
  projects: CustomerRecords<ProjectRecord>
  devices: CustomerRecords<DeviceRecord>
  subscriptions: Map<string, SubscriptionRecord[]>
  serviceAccounts: CustomerRecords<ServiceAccountRecord>
  registrationCodes: Map<string, CodeUse>
  preferences: Map<string, PreferenceRecord[]>
  notifications: Map<string, NotificationRecord[]>
  pointWrites: PointWrites
  /** Alarms in addition to the simulated ones. */
  addedAlarms: Occurrence[]
  refusals: Map<string, string>
  alarmChanges: Map<string, AlarmChanges>
  reports: CustomerRecords<ReportRecord>
  exports: CustomerRecords<ExportRecord>
  backupChanges: Map<string, BackupChanges>
  files: Map<string, OfferedFile>
  audit: AuditEntry[]
  nextId: (prefix: string) => string
}

export function emptyState(clock: () => number): State {
  let last = 0
  return {
    clock,
    startedMs: clock(),
    organizations: new Map(),
    users: new Map(),
    invitations: new Map(),
    projects: new CustomerRecords(),
    devices: new CustomerRecords(),
    subscriptions: new Map(),
    serviceAccounts: new CustomerRecords(),
    registrationCodes: new Map(),
    preferences: new Map(),
    notifications: new Map(),
    pointWrites: new Map(),
    addedAlarms: [],
    refusals: new Map(),
    alarmChanges: new Map(),
    reports: new CustomerRecords(),
    exports: new CustomerRecords(),
    backupChanges: new Map(),
    files: new Map(),
    audit: [],
    nextId: (prefix) => `${prefix}-new-${++last}`
  }
}

/** The customers of an integrator, in the order of their arrival. */
export function customersOf(state: State, partnerId: string): OrganizationRecord[] {
  return [...state.organizations.values()].filter((one) => one.partnerId === partnerId)
}

export function scopeOf(organization: OrganizationRecord): string {
  return organization.partnerId === null
    ? `/organizations/${organization.id}`
    : `/organizations/${organization.partnerId}/customers/${organization.id}`
}

/** The clock's time as the APIs write it. */
export function now(state: State): string {
  return new Date(state.clock()).toISOString()
}
