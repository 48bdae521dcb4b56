import type { SavedExport } from '../../api/exports.ts'

const DAY_MS = 86_400_000

/** For how many days files are kept, as those tell that have one; null where none does. */
export function keptDays(items: readonly SavedExport[]): number | null {
  for (const { status, completedDate, expiresDate } of items) {
    const ms = Date.parse(expiresDate ?? '') - Date.parse(completedDate ?? '')
    if (status === 'READY' && ms > 0) return Math.max(Math.round(ms / DAY_MS), 1)
  }
  return null
}
