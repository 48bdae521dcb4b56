// Records of work: alarms, reports, exports and backups.

export interface AlarmChanges {
  acknowledged?: { atMs: number; user: string }
  notes: { text: string; user: string; time: string }[]
}

export interface ReportRecord {
  id: string
  reportName: string
  customerId: string
  reportDetails: { selectedDateFilter: string; selectedPoints: Record<string, unknown>[] }
  startTime: string | null
  endTime: string | null
  createdBy: string
  createdDate: string
  lastModifiedDate: string
}

/** An export of histories. Times and clock determine the status. */
export interface ExportRecord {
  id: string
  exportName: string
  customerId: string
  format: 'CSV' | 'JSON'
  timeZone: string
  startTime: string
  endTime: string
  selectedPoints: { systemGuid: string; pointIds: string[] }[]
  createdById: string
  createdBy: string
  createdMs: number
  queuedForMs: number
  runsForMs: number
  cancelledMs: number | null
  /** Why the export fails; null if it succeeds. */
  failureReason: string | null
}

export interface BackupChanges {
  notes?: string
  retained?: boolean
  isDeleted?: boolean
}

export interface OfferedFile {
  expiresMs: number
  contentType: string
  content: () => string | Buffer
}
