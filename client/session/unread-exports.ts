// Exports that came to their end and that the person has not looked at since.
import { useEffect, useSyncExternalStore } from 'react'
import { exportWatch, type UnreadExport } from '../lib/export-watch.ts'
import { followVisibility, isSeen } from '../lib/visibility.ts'
import { paths } from '../paths.ts'
import { useSession } from './session.ts'

export function useUnreadExports(): readonly UnreadExport[] {
  const { user } = useSession()
  return useSyncExternalStore(exportWatch.subscribe, () => exportWatch.unread(user.id))
}

/** Whoever sees the list of exports has read of all of them. */
export function useExportsSeen(): void {
  const { user } = useSession()
  const unread = useUnreadExports()
  const seen = useSyncExternalStore(followVisibility, isSeen)
  useEffect(() => {
    if (seen && unread.length > 0) exportWatch.read(user.id)
  }, [seen, unread, user])
}

/** The list with this export alone. */
export function exportAddress(exportName: string, organizationId: string | null): string {
  return `${paths.exports}?${new URLSearchParams({ q: exportName, ...(organizationId ? { organizationId } : {}) })}`
}
