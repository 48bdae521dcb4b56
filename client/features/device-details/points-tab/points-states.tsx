import ListTree from 'lucide-react/icons/list-tree'
import SearchX from 'lucide-react/icons/search-x'
import { formatNumber } from '../../../lib/format.ts'
import { failureOf } from '../../../lib/http/api-error.ts'
import { formatMoment } from '../../../lib/time/time.ts'
import { Skeleton } from '../../../ui/state/loading.tsx'
import { Notice, StaleNotice } from '../../../ui/state/notice.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { SIFTED_POINTS_MAX } from './filtered-points.ts'
import type { PointsTabState } from './use-points-tab.ts'

/** What cannot be read, or is not all that there is. */
export function PointsNotices({ found, live, readings }: PointsTabState) {
  const { data, error, reload } = found
  return (
    <>
      {live && readings.error !== undefined && (
        <Notice tone="warn" action={{ label: 'Retry', onAct: readings.refresh }}>
          {failureOf(readings.error).title}. Live values cannot be read now
          {readings.readAtMs !== null && `; shown are those of ${timeOf(readings.readAtMs)}`}.
        </Notice>
      )}
      {data && error !== undefined && (
        <StaleNotice error={error} what="The points below" onRefresh={reload} />
      )}
      {data && data.unread > 0 && (
        <Notice tone="warn">
          Looked through the first {formatNumber(SIFTED_POINTS_MAX)} points; {formatNumber(data.unread)} were
          not. Search for a name to look at fewer.
        </Notice>
      )}
    </>
  )
}

const timeOf = (ms: number) => formatMoment(ms).slice(-5)

interface NoPointsProps {
  /** What was searched for; empty for nothing. */
  keyword: string
  filtered: boolean
  onClear: () => void
}

/** Nothing published is another thing than nothing found. */
export function NoPoints({ keyword, filtered, onClear }: NoPointsProps) {
  if (keyword === '' && !filtered)
    return (
      <Panel icon={ListTree} title="No points published by this device">
        <p>Points show here once the device publishes them.</p>
      </Panel>
    )
  const searched = keyword === '' ? '' : ` “${keyword}”`
  const sifted = filtered ? `${keyword === '' ? '' : ' and'} these filters` : ''
  return (
    <Panel
      icon={SearchX}
      title={`No points match${searched}${sifted}`}
      actions={
        <button type="button" className="button" onClick={onClear}>
          {filtered ? 'Clear filters' : 'Clear search'}
        </button>
      }
    />
  )
}

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

export function TableSkeleton({ label }: { label: string }) {
  return (
    <div className="table-skeleton" aria-busy="true">
      <span className="sr-only">{label}</span>
      {ROWS.map((row) => (
        <div key={row}>
          {['70%', '45%', '50%', '40%', '60%'].map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      ))}
    </div>
  )
}
