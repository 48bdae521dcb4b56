// Schemas of saved reports, exports and backups in API answers.
import Type, { type Static } from 'typebox'
import {
  anything,
  count,
  countOrNull,
  named,
  oneOf,
  optional,
  text,
  textOrNull,
  texts,
  time
} from './parts.ts'

export const Report = named('Report', {
  ...texts('reportId', 'reportName'),
  reportDetails: Type.Object({
    ...texts('selectedDateFilter'),
    selectedPoints: Type.Array(Type.Object({ device: anything, point: anything }), {
      description: 'Devices and points, each as an identifier or as a whole object.'
    })
  }),
  startTime: textOrNull(),
  endTime: textOrNull(),
  customerId: optional(text()),
  customerName: optional(text()),
  createdBy: optional(text()),
  createdDate: optional(time()),
  lastModifiedDate: optional(time())
})
export type Report = Static<typeof Report>

export const ExportStatus = oneOf(['QUEUED', 'RUNNING', 'READY', 'FAILED', 'CANCELLED', 'EXPIRED'])
export type ExportStatus = Static<typeof ExportStatus>

export const ExportFormat = oneOf(['CSV', 'JSON'])

export const Export = named('Export', {
  ...texts('id', 'exportName', 'customerId', 'timeZone', 'createdBy'),
  customerName: textOrNull(),
  status: ExportStatus,
  progress: Type.Number({ minimum: 0, maximum: 100 }),
  format: ExportFormat,
  startTime: time(),
  endTime: time(),
  pointCount: count(),
  rowCount: countOrNull(),
  sizeBytes: countOrNull(),
  createdDate: time(),
  completedDate: textOrNull(),
  expiresDate: textOrNull(),
  failureReason: textOrNull(),
  request: Type.Object({
    selectedPoints: Type.Array(Type.Object({ ...texts('systemGuid'), pointIds: Type.Array(text()) }))
  })
})
export type Export = Static<typeof Export>

export const BackupTrigger = oneOf(['MANUAL', 'SCHEDULED'], 'How the backup was started.')

export const Backup = named('Backup', {
  ...texts('id', 'deviceUuid', 'deviceName', 'hostId', 'stationName', 'niagaraVersion'),
  backupDate: time(),
  trigger: BackupTrigger,
  status: oneOf(['RUNNING', 'COMPLETE', 'FAILED']),
  sizeBytes: countOrNull(),
  notes: textOrNull(),
  retained: Type.Boolean(),
  checksum: textOrNull()
})
export type Backup = Static<typeof Backup>
