// Exports that came to their end and that the person has not looked at since.
import { useEffect } from 'react'
import { useSeen } from '../../lib/browser.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../session/session.ts'
import { exportWatch, type UnreadExport, useExportWatch } from './export-watch.ts'

export function useUnreadExports(): readonly UnreadExport[] {
  const { user } = useSession()
  return useExportWatch((watch) => watch.unread(user.id))
}

/** Whoever sees the list of exports has read of all of them. */
export function useExportsSeen(): void {
  const { user } = useSession()
  const unread = useUnreadExports()
  const seen = useSeen()
  useEffect(() => {
    if (seen && unread.length > 0) exportWatch.read(user.id)
  }, [seen, unread, user])
}

/** The list with this export alone. */
export function exportAddress(exportName: string, organizationId: string | null): string {
  return `${paths.exports}?${new URLSearchParams({ q: exportName, ...(organizationId ? { organizationId } : {}) })}`
}
