import type { ExportStatus } from '../../api/exports.ts'

export const STATUSES: Record<ExportStatus, { label: string; tone: string }> = {
  QUEUED: { label: 'Queued', tone: 'plain' },
  RUNNING: { label: 'Running', tone: 'info' },
  READY: { label: 'Ready', tone: 'ok' },
  FAILED: { label: 'Failed', tone: 'danger' },
  CANCELLED: { label: 'Cancelled', tone: 'plain' },
  EXPIRED: { label: 'Expired', tone: 'warn' }
}
