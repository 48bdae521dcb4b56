import './style.css'
import { useExportWatch, useUnreadExports } from '../../features/exports/export-watch.ts'
import { useSession } from '../../features/session/session.ts'
import { useLazy } from '../../lib/use-lazy.ts'
import { useRecentPages } from '../jump/recent-targets.ts'
import { NewVersion } from './new-version.tsx'
import { OtherPerson, useOtherPerson } from './other-person.tsx'
import { SessionPrompt } from './session-prompt.tsx'
import { useAccessWatch } from './use-access-watch.ts'
import { useSessionWatch } from './use-session-watch.ts'

const exportNews = () => import('../../features/exports/export-news.tsx')

/** What watches over the portal while somebody works in it; shows itself only when there is something to say. */
export default function BackgroundTasks() {
  const { watch, state } = useSessionWatch()
  const other = useOtherPerson()
  useAccessWatch()
  useRecentPages()
  const ExportNews = useLazy(exportNews, useExports())
  return (
    <>
      <NewVersion />
      {ExportNews && <ExportNews />}
      {other && <OtherPerson fullName={other.fullName} />}
      {state.expiring && <SessionPrompt watch={watch} state={state} />}
    </>
  )
}

/** Whether this person waits for an export, or has yet to read of one. */
function useExports(): boolean {
  const { user } = useSession()
  const waits = useExportWatch((watch) => watch.waiting(user.id).length > 0)
  return useUnreadExports().length > 0 || waits
}
