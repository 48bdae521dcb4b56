import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { Notice } from '../../ui/state/notice.tsx'

interface HistoryNoticesProps {
  /** The address names a report that there is not. */
  reportGone: boolean
  /** Names of points that there are no more. */
  missing: readonly string[]
  /** How many points the address names beyond those that a chart takes. */
  tooMany: number
}

/** What of the address could not be shown. */
export function HistoryNotices({ reportGone, missing, tooMany }: HistoryNoticesProps) {
  return (
    <div className="history-notices">
      {reportGone && (
        <Notice tone="warn">This report is no longer there. The points of the address still are.</Notice>
      )}
      {missing.length > 0 && (
        <Notice tone="warn">
          {missing.length === 1 ? 'A point is' : `${missing.length} points are`} no longer there:{' '}
          {missing.join(', ')}.
        </Notice>
      )}
      {tooMany > 0 && (
        <Notice tone="warn">
          The address names {CHART_POINTS_MAX + tooMany} points. A chart takes {CHART_POINTS_MAX}: the first{' '}
          {CHART_POINTS_MAX} show.
        </Notice>
      )}
    </div>
  )
}
