import ListPlus from 'lucide-react/icons/list-plus'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { useLayout } from '../../lib/layout.ts'
import { paths } from '../../lib/paths.ts'
import { recall, remember } from '../../lib/storage.ts'
import { Modal } from '../../ui/dialog/modal.tsx'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { Skeleton } from '../../ui/state/loading.tsx'
import { TitleBlock } from '../../ui/title-block.tsx'
import type { Customer } from '../customers/customer.ts'
import { useDevice } from '../devices/api.ts'
import type { Report } from '../reports/report.ts'
import { HistoryMain } from './history-main.tsx'
import { HistoryNotices } from './history-notices.tsx'
import { RangeBar } from './range/range-bar.tsx'
import { useHistory } from './use-history.ts'

// Whoever comes to read charts needs it later, or never.
const PointsPanel = lazy(() => import('./points/points-panel.tsx'))
const HistoryActions = lazy(() => import('./history-actions.tsx'))
const RangeLine = lazy(() => import('./range/range-line.tsx'))

const COLLAPSED = 'portal.history-points-collapsed'

interface HistoryViewProps {
  area: Customer
  report: Report | null
  /** The address names a report that there is not. */
  reportGone: boolean
}

export function HistoryView({ area, report, reportGone }: HistoryViewProps) {
  const { customerId, customerPath } = area
  const desktop = useLayout() === 'desktop'
  const [query] = useSearchParams()
  const history = useHistory(area, report)
  const { view, chosen, nameOf, tooMany } = history
  // Whoever has no point yet is about to choose one; the chart is as wide as it can be for all others.
  const [open, setOpen] = useState(() => {
    const chooses = view.points.length === 0 && report === null
    return desktop && (chooses || recall<boolean>(COLLAPSED) === false)
  })
  const { data: device } = useDevice(customerId, query.get('deviceUuid') ?? view.points[0]?.deviceUuid ?? '')
  const missing = chosen.filter(({ state }) => state === 'missing').map(nameOf)
  const panel = (
    <Suspense fallback={<Skeleton width="70%" label="Loading points" />}>
      <PointsPanel {...{ customerId, device, history }} />
    </Suspense>
  )
  const deviceAddress = device && paths.device(customerPath, device.deviceUuid)
  const toggle = () => {
    setOpen(!open)
    if (desktop) remember(COLLAPSED, open)
  }
  const points = (
    <button type="button" className="button" aria-expanded={open} onClick={toggle}>
      <ListPlus />
      Points ({view.points.length}/{CHART_POINTS_MAX})
    </button>
  )
  const actions = (
    <Suspense>
      <HistoryActions {...{ area, report, history }} />
    </Suspense>
  )
  return (
    <div className="history">
      <TitleBlock
        title="History"
        crumbs={[
          ...area.trail,
          ...(deviceAddress ? [{ label: 'Device Details', to: deviceAddress }] : []),
          { label: 'History' }
        ]}
        facts={
          report?.reportName ??
          (deviceAddress && <PrefetchLink to={deviceAddress}>{device.deviceName}</PrefetchLink>)
        }
        actions={desktop && actions}
      />
      <HistoryNotices {...{ reportGone, missing, tooMany }} />
      {desktop ? (
        <RangeBar history={history}>{points}</RangeBar>
      ) : (
        <Suspense fallback={<div className="range-line" />}>
          <RangeLine history={history} />
        </Suspense>
      )}
      <div className="history-columns" data-open={(desktop && open) || undefined}>
        <HistoryMain {...{ customerId, history }} listsPending={!open} choose={desktop ? null : points} />
        {desktop && open && <aside className="card history-points">{panel}</aside>}
      </div>
      {!desktop && (
        <div className="history-foot">
          {view.points.length > 0 && points}
          {actions}
        </div>
      )}
      {!desktop && open && (
        <Modal title="Points" kind="screen" onClose={toggle}>
          <div className="modal-body history-points">{panel}</div>
          <div className="modal-actions">
            <button type="button" className="button primary" onClick={toggle}>
              Done
            </button>
          </div>
        </Modal>
      )}
    </div>
  )
}
