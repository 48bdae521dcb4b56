import { ageText, formatClock } from '../../../lib/time/time.ts'
import type { ChartLine } from './chart/chart-lines.ts'
import type { History } from './use-history.ts'

/** A switch that follows a range that ends now: new records are added to the charts. */
export function LiveSwitch({ history }: { history: History }) {
  const { view, change, endsNow, isFollowed, asOf, zone, current, histories } = history
  const { delayedSinceMs } = histories.live
  const isDelayed = isFollowed && delayedSinceMs !== null
  const title = endsNow
    ? isDelayed
      ? `New records could not be read since ${formatClock(delayedSinceMs, asOf, zone)}. Trying again.`
      : `Adds new records every 10 seconds. ${newestRecordText(current, asOf)}`
    : 'Only a range that ends now can be followed'
  return (
    <button
      type="button"
      className="button live-switch"
      data-delayed={isDelayed || undefined}
      aria-pressed={isFollowed}
      aria-disabled={!endsNow || undefined}
      title={title.trim()}
      onClick={() => endsNow && change({ live: !view.live })}
    >
      <i aria-hidden="true" />
      {isDelayed ? 'Delayed' : 'Live'}
    </button>
  )
}

/** "Newest record 3 min old."; empty without records. */
function newestRecordText(lines: readonly ChartLine[], nowMs: number): string {
  const newestMs = Math.max(...lines.map(({ samples }) => samples.times.at(-1) ?? Number.NEGATIVE_INFINITY))
  return Number.isFinite(newestMs)
    ? `Newest record ${ageText(new Date(newestMs).toISOString(), nowMs)} old.`
    : ''
}
