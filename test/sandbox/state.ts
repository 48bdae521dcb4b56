// The world that the upstream APIs answer from: plain records in memory, changed by their writes and by tests.
// Decides how records are found and counted; what they hold at first is the seed's business.
import type { AuditEntry } from './api/audit.ts'
import { AddedAlarms } from './records/added-alarms.ts'
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
  /** By customer id. */
  subscriptions: Map<string, SubscriptionRecord[]>
  serviceAccounts: CustomerRecords<ServiceAccountRecord>
  /** By code; a code is not in here before its first use. */
  registrationCodes: Map<string, CodeUse>
  /** By user id; who is not in here has all. */
  preferences: Map<string, PreferenceRecord[]>
  /** By user id; filled when they are first asked for. */
  notifications: Map<string, NotificationRecord[]>
  pointWrites: PointWrites
  /** Beside those that the simulation makes. */
  addedAlarms: AddedAlarms
  /** Why a device takes no command about its alarms, by device id; tests set it. */
  refusals: Map<string, string>
  /** By alarm uuid. */
  alarmChanges: Map<string, AlarmChanges>
  reports: CustomerRecords<ReportRecord>
  exports: CustomerRecords<ExportRecord>
  /** By backup id. */
  backupChanges: Map<string, BackupChanges>
  /** By the secret part of their address. */
  files: Map<string, OfferedFile>
  /** What happened since the start, the oldest first; what happened before is made up when it is asked for. */
  audit: AuditEntry[]
  /** Of what happened before, so many entries more at the first integrator. */
  moreAuditEntries: number
  /** A new identifier with this prefix; never one that the seed gave. */
  nextId: (prefix: string) => string
}

/** A world with nothing in it. */
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
    addedAlarms: new AddedAlarms(),
    refusals: new Map(),
    alarmChanges: new Map(),
    reports: new CustomerRecords(),
    exports: new CustomerRecords(),
    backupChanges: new Map(),
    files: new Map(),
    audit: [],
    moreAuditEntries: 0,
    nextId: (prefix) => `${prefix}-new-${++last}`
  }
}

/** The customers of an integrator, in the order of their arrival. */
export function customersOf(state: State, partnerId: string): OrganizationRecord[] {
  return [...state.organizations.values()].filter((one) => one.partnerId === partnerId)
}

/** The scope path of an organization: a customer's lies below its integrator's. */
export function scopeOf(organization: OrganizationRecord): string {
  return organization.partnerId === null
    ? `/organizations/${organization.id}`
    : `/organizations/${organization.partnerId}/customers/${organization.id}`
}

/** The clock's time as the APIs write it. */
export function now(state: State): string {
  return new Date(state.clock()).toISOString()
}
