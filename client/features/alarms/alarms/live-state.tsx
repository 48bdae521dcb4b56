import { useIsLive, useLateSince } from '../../../lib/live/live.ts'
import { useSession } from '../../../lib/session/session.ts'
import { formatClock, useZone } from '../../../lib/time/time.ts'
import { Updated } from '../../../ui/list/refresh-button.tsx'

interface LiveStateProps {
  /** Null for all customers. */
  customerId: string | null
  isFollowing: boolean
  busy: boolean
  failed: boolean
}

/** Says whether the alarms that a screen shows are the present ones, and otherwise since when they are late. */
export function LiveState({ customerId, isFollowing, busy, failed }: LiveStateProps) {
  const { nowMs } = useSession()
  const zone = useZone()
  const isLive = useIsLive()
  const late = useLateSince(customerId)
  if (late !== null)
    return (
      <span className="live-state late" role="status">
        {late.areAll ? 'Late' : 'Some late'} since {formatClock(Date.parse(late.since), nowMs(), zone)}
      </span>
    )
  if (isLive && isFollowing && !failed) return <span className="live-state live">live</span>
  return <Updated busy={busy} failed={failed} />
}
