import { useEffect, useMemo } from 'react'
import { useSession } from '../session/session.ts'
import { isUnderWay, newsOf, type SavedExport } from './api.ts'
import { exportWatch } from './export-watch.ts'
import { useExportsSeen } from './unread-exports.ts'

/** A person waits for the exports that they have started; as long as the list shows one, the list reads how it stands. */
export function useWaitedExports(items: readonly SavedExport[] | undefined): void {
  const { user } = useSession()
  useExportsSeen()
  useEffect(() => {
    for (const one of items ?? []) {
      if (isUnderWay(one)) {
        if (one.createdBy === user.fullName) exportWatch.wait(user.id, one)
      } else if (exportWatch.reads()) exportWatch.end(user.id, one.id, newsOf(one))
    }
  }, [items, user])
  const shown = useMemo(() => (items ?? []).filter(isUnderWay).map(({ id }) => id), [items])
  useEffect(() => exportWatch.cover(shown), [shown])
}
