// Polls the person's running exports in one visible tab, and announces finished exports. Unread announcements put a dot in
// the title of every tab.
import { useEffect, useEffectEvent } from 'react'
import { useSeen, withTabLock } from '../../../lib/browser.ts'
import { ApiError } from '../../../lib/http/api-error.ts'
import { useNewsDot } from '../../../lib/page-title.ts'
import { useOrganization } from '../../../lib/session/organization.ts'
import { useSession } from '../../../lib/session/session.ts'
import { toasts } from '../../../ui/state/toasts.ts'
import { finishedExport, isUnderWay, POLL_MS, readExport } from './api.ts'
import {
  exportAddress,
  exportWatch,
  useExportWatch,
  useUnreadExports,
  type WaitedExport
} from './export-watch.ts'

const LOCK = 'portal.exports'
/** HTTP statuses of a forbidden, deleted or expired export, which is no longer polled. */
const FINAL_STATUSES = [403, 404, 410]

export default function ExportNews() {
  const { id: userId } = useSession().user
  const { chosen } = useOrganization()
  const isVisible = useSeen()
  const isWaiting = useExportWatch((watch) => watch.waiting(userId).length > 0)
  useNewsDot(useUnreadExports().length > 0)

  const check = useEffectEvent(async (waiting: WaitedExport, signal: AbortSignal) => {
    try {
      const currentExport = await readExport(waiting, signal)
      if (isUnderWay(currentExport)) return
      const announcement = finishedExport(currentExport)
      const isFirst = await exportWatch.end(userId, waiting.id, announcement)
      if (!isFirst || !announcement) return
      const { exportName, failure } = announcement
      const action = { label: 'Show', to: exportAddress(announcement, chosen?.id ?? null) }
      if (failure === null) toasts.ok(`Export “${exportName}” is ready.`, action)
      else toasts.failed(`Export “${exportName}” failed${failure ? `: ${failure}` : '.'}`, action)
    } catch (error) {
      if (error instanceof ApiError && FINAL_STATUSES.includes(error.status))
        await exportWatch.end(userId, waiting.id, null)
    }
  })

  useEffect(() => {
    if (!isVisible || !isWaiting) return
    const controller = new AbortController()
    const { signal } = controller
    const poll = () =>
      new Promise<void>((resolve) => {
        const checkAll = () => {
          for (const waiting of exportWatch.waiting(userId)) void check(waiting, signal)
        }
        const timer = setInterval(checkAll, POLL_MS)
        signal.addEventListener('abort', () => {
          clearInterval(timer)
          resolve()
        })
        checkAll()
      })
    void withTabLock(LOCK, poll, signal)
    return () => controller.abort()
  }, [isVisible, isWaiting, userId])

  return null
}
