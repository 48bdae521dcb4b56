import '../../style/shell.css'
import { useSyncExternalStore } from 'react'
import { exportWatch } from '../../lib/export-watch.ts'
import { useLater } from '../../lib/use-later.ts'
import { useOtherPerson } from '../../session/same-person.ts'
import { useSession } from '../../session/session.ts'
import { useUnreadExports } from '../../session/unread-exports.ts'
import { useAccessWatch } from '../../session/use-access-watch.ts'
import { useSessionWatch } from '../../session/use-session-watch.ts'
import { NewVersion } from './new-version.tsx'
import { OtherPerson } from './other-person.tsx'
import { SessionPrompt } from './session-prompt.tsx'

const exportNews = () => import('../../session/export-news.tsx')

/** What watches over the portal while somebody works in it; shows itself only when there is something to say. */
export default function Attendants() {
  const { watch, state } = useSessionWatch()
  const other = useOtherPerson()
  useAccessWatch()
  const ExportNews = useLater(exportNews, useExports())
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
  const waits = useSyncExternalStore(exportWatch.subscribe, () => exportWatch.waiting(user.id).length > 0)
  return useUnreadExports().length > 0 || waits
}
