// Tells on any page when an export that the person waits for has come to its end. Of all tabs one reads how it stands,
// and one tells; a tab that nobody looks at does neither. Until it is read, every tab has a dot in its title. With
// nothing under way and nothing to read not even this code is fetched.
import { useEffect } from 'react'
import { useSeen, withTabLock } from '../../lib/browser.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { toasts } from '../../ui/state/toasts.ts'
import { useTitleDot } from '../../ui/title-dot.ts'
import { useIntegrator } from '../session/integrator.ts'
import { useSession } from '../session/session.ts'
import { isUnderWay, newsOf, POLL_MS, readExport } from './api.ts'
import {
  exportAddress,
  exportWatch,
  type ExportNews as News,
  useExportWatch,
  useUnreadExports,
  type WaitedExport
} from './export-watch.ts'

const READING = 'portal.exports'
/** Deleted, forbidden or expired: stop waiting. */
const GONE = [403, 404, 410]
/** Keep the lock until the other tabs know that nothing is running. */
const HEARD_MS = 1_000

export default function ExportNews() {
  const { user } = useSession()
  const { chosen } = useIntegrator()
  const visible = useSeen()
  const waits = useExportWatch((watch) => watch.waiting(user.id).length > 0)
  const news = useExportWatch((watch) => watch.news())
  const unread = useUnreadExports()
  const userId = user.id
  const organizationId = chosen?.id ?? null

  useEffect(() => {
    if (!visible || !waits) return
    const over = new AbortController()
    void withTabLock(READING, over.signal, () => read(userId, over.signal))
    return () => {
      const ended = exportWatch.waiting(userId).length === 0
      setTimeout(() => over.abort(), ended ? HEARD_MS : 0)
    }
  }, [visible, waits, userId])

  useEffect(() => {
    if (news.length === 0) return
    for (const one of news) tell(one, organizationId)
    exportWatch.told()
  }, [news, organizationId])

  useTitleDot(unread.length > 0)
  return null
}

async function read(userId: string, signal: AbortSignal): Promise<void> {
  const end = exportWatch.beginReading()
  while (!signal.aborted) {
    const open = exportWatch.waiting(userId).filter(({ id }) => !exportWatch.isCovered(id))
    await Promise.all(open.map((one) => look(userId, one, signal)))
    await pause(signal)
  }
  end()
}

async function look(userId: string, one: WaitedExport, signal: AbortSignal): Promise<void> {
  try {
    const found = await readExport(one, signal)
    if (!isUnderWay(found)) exportWatch.end(userId, one.id, newsOf(found))
  } catch (error) {
    if (error instanceof ApiError && GONE.includes(error.status)) exportWatch.end(userId, one.id, null)
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, POLL_MS)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

function tell({ exportName, failure }: News, organizationId: string | null): void {
  const action = { label: 'Show', to: exportAddress(exportName, organizationId) }
  if (failure === null) toasts.ok(`Export “${exportName}” is ready.`, action)
  else toasts.failed(`Export “${exportName}” failed${failure ? `: ${failure}` : '.'}`, action)
}
