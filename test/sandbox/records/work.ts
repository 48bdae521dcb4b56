// What people do with the data of devices. The data themselves are the simulation's business.

/** What people did about an alarm; when it went off is the simulation's business. */
export interface AlarmChanges {
  /** Acknowledged by a call: pending at first, acknowledged a moment later. */
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

/** An export of histories; what has become of it by now follows from its times. */
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
  /** Why it fails at its end; null when it succeeds. */
  failureReason: string | null
}

/** What people did to a backup; when it was made is the simulation's business. */
export interface BackupChanges {
  notes?: string
  retained?: boolean
  isDeleted?: boolean
}

/** Something to fetch without a token, for a short while. */
export interface OfferedFile {
  expiresMs: number
  contentType: string
  content: () => string | Buffer
}
