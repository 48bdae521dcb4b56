// The data of the upstream APIs, in memory.
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

export type State = ReturnType<typeof emptyState>

/**
 * @param clock milliseconds since the epoch, for every date of the data
 * @param alarmPaceMs interval in which alarms arise while the sandbox runs; 0: never
 */
export function emptyState(clock: () => number, alarmPaceMs = 0) {
  let lastNumber = 0
  return {
    clock,
    alarmPaceMs,
    /** The start time. Data generated later is still dated from this day. */
    startedMs: clock(),
    organizations: new Map<string, OrganizationRecord>(),
    users: new Map<string, UserRecord>(),
    invitations: new Map<string, InvitationRecord>(),
    projects: new CustomerRecords<ProjectRecord>(),
    devices: new CustomerRecords<DeviceRecord>(),
    subscriptions: new Map<string, SubscriptionRecord[]>(),
    serviceAccounts: new CustomerRecords<ServiceAccountRecord>(),
    registrationCodes: new Map<string, CodeUse>(),
    preferences: new Map<string, PreferenceRecord[]>(),
    notifications: new Map<string, NotificationRecord[]>(),
    pointWrites: new Map() as PointWrites,
    /** Whether the entity model refuses a search of all systems. */
    asksForSystem: false,
    /** Alarms that arose while the sandbox was running, by device id, and how many were due. */
    arisen: { count: 0, byDevice: new Map<string, Occurrence[]>() },
    /** Alarms in addition to the simulated alarms. */
    addedAlarms: [] as Occurrence[],
    /** The reason for refusing alarm commands, by device id. */
    refusals: new Map<string, string>(),
    alarmChanges: new Map<string, AlarmChanges>(),
    reports: new CustomerRecords<ReportRecord>(),
    exports: new CustomerRecords<ExportRecord>(),
    backupChanges: new Map<string, BackupChanges>(),
    files: new Map<string, OfferedFile>(),
    audit: [] as AuditEntry[],
    nextId: (prefix: string) => `${prefix}-new-${++lastNumber}`
  }
}

/** The customers of an integrator, in insertion order. */
export function customersOf(state: State, partnerId: string): OrganizationRecord[] {
  return [...state.organizations.values()].filter((organization) => organization.partnerId === partnerId)
}

export function scopeOf(organization: OrganizationRecord): string {
  return organization.partnerId === null
    ? `/organizations/${organization.id}`
    : `/organizations/${organization.partnerId}/customers/${organization.id}`
}

/** The clock's time in ISO 8601. */
export function now(state: State): string {
  return new Date(state.clock()).toISOString()
}
