import Clock from 'lucide-react/icons/clock-alert'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { count } from '../../lib/format.ts'
import { useUrgentTitle } from '../../lib/page-title.ts'
import { useSession } from '../../lib/session/session.ts'
import { useSecondsLeft } from '../../lib/time/seconds-left.ts'
import { formatClock } from '../../lib/time/time.ts'
import { IconButton } from '../../ui/input/icon-button.tsx'
import { TITLE } from './session-prompt.tsx'

/** Reports that the session reaches its maximum length. The page stays usable, so that the person can save their work. */
export function SessionEnding({ endsAtMs }: { endsAtMs: number }) {
  const [isClosed, setClosed] = useState(false)
  return isClosed ? null : <EndingStrip endsAtMs={endsAtMs} onClose={() => setClosed(true)} />
}

function EndingStrip({ endsAtMs, onClose }: { endsAtMs: number; onClose: () => void }) {
  const { nowMs } = useSession()
  const seconds = useSecondsLeft(endsAtMs)
  const [endsAt] = useState(() => formatClock(nowMs() + endsAtMs - performance.now(), nowMs()))
  useUrgentTitle(`(${seconds}) ${TITLE}`)
  return (
    // A popover shows above an open dialog.
    <div ref={showAbove} popover="manual" role="alert" className="notice warn floating-strip session-ending">
      <Clock />
      <span>
        <strong>You will be signed out at {endsAt}</strong>, because your session reaches its maximum length
        and cannot be extended. Save your work, then sign in again.{' '}
        <span role="timer" aria-live="off">
          {count(seconds, 'second')} left.
        </span>
      </span>
      <IconButton name="Close" Icon={X} onPress={onClose} />
    </div>
  )
}

function showAbove(strip: HTMLElement | null): void {
  strip?.showPopover()
}
