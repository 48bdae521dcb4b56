// Objects of the upstream APIs, with defaults: a test says only what differs.
import type { AuditLogEntry } from '#shared/answers/management.ts'
import { NOW, pageOf } from './gateway.ts'
import { roleRecord } from './users.ts'

export const inDays = (days: number) => new Date(Date.parse(NOW) + days * 86_400_000).toISOString()

/** A list with all its rows. */
export const listOf = (name: string, rows: readonly object[]) => ({
  _embedded: { [name]: rows },
  page: pageOf(rows.length)
})

export const backupRecord = (number: number, rest: object = {}) => ({
  id: `bk-${number}`,
  deviceUuid: `uuid-${number}`,
  deviceName: `AHU-${number}`,
  hostId: `Qnx-${number}`,
  stationName: 'Station',
  backupDate: NOW,
  trigger: 'MANUAL',
  status: 'COMPLETE',
  sizeBytes: 100,
  niagaraVersion: '4.13.2',
  notes: null,
  retained: false,
  checksum: null,
  ...rest
})

export const exportRecord = (id: string | number, rest: object = {}) => ({
  id: String(id),
  exportName: `Export ${id}`,
  customerId: '9',
  customerName: 'Northwind',
  status: 'READY',
  progress: 100,
  format: 'CSV',
  timeZone: 'UTC',
  startTime: NOW,
  endTime: NOW,
  pointCount: 2,
  rowCount: 10,
  sizeBytes: 100,
  createdBy: 'Maria Ruiz',
  createdDate: NOW,
  completedDate: '2026-02-20T12:00:00.000Z',
  expiresDate: '2026-02-27T12:00:00.000Z',
  failureReason: null,
  request: { selectedPoints: [] },
  ...rest
})

export const reportRecord = (number: number, rest: object = {}) => ({
  reportId: `r-${number}`,
  reportName: `Report ${number}`,
  reportDetails: { selectedDateFilter: 'Last Month', selectedPoints: [{ device: 'uuid-1', point: 'c-1' }] },
  startTime: null,
  endTime: null,
  createdBy: 'Maria Ruiz',
  createdDate: NOW,
  lastModifiedDate: NOW,
  ...rest
})

export const invitationRecord = (number: number, rest: object = {}) => ({
  id: `i-${number}`,
  email: `invited.${number}@northwind.example`,
  status: 'PENDING',
  customerName: null,
  createdDate: inDays(-1),
  expiresDate: inDays(13),
  roleAssignments: [roleRecord('ra-i', 'partner_user')],
  ...rest
})

export const accountRecord = (number: number, rest: object = {}) => ({
  id: `sa-${number}`,
  serviceName: `Account ${number}`,
  description: '',
  clientId: `client-${number}`,
  secretExpiration: inDays(90),
  roleAssignments: [roleRecord(`ra-${number}`, 'customer_user', '/organizations/1/customers/9')],
  ...rest
})

export const auditRecord = (number: number, rest: object = {}) => ({
  id: `al-${number}`,
  timestamp: NOW,
  actor: { id: 'u-7', type: 'USER', name: 'Ann Lee' },
  action: 'DEVICE_UPDATED',
  outcome: 'SUCCESS',
  resource: { type: 'DEVICE', id: 'd-3', name: 'AHU 3' },
  customerId: '9',
  customerName: 'Northwind',
  ...rest
})

/** An entry of the audit log as the page has read it: a person moved a device. */
export const auditEntry = (rest: Partial<AuditLogEntry> = {}): AuditLogEntry => ({
  id: 'al-1',
  timestamp: '2026-03-01T12:00:00Z',
  actor: { id: 'u-1', type: 'USER', name: 'Maria Ruiz' },
  action: 'DEVICE_MOVED',
  outcome: 'SUCCESS',
  resource: { type: 'DEVICE', id: 'd-3', name: 'AHU-3' },
  customerId: null,
  customerName: null,
  ...rest
})
