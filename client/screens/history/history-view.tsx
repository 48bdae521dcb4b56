import PanelLeft from 'lucide-react/icons/panel-left'
import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { useDevice } from '../../api/devices.ts'
import { Modal } from '../../components/modal.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import { CUSTOM_RANGE } from '../../lib/date-range.ts'
import { useLayout } from '../../lib/layout.ts'
import type { Report } from '../../lib/report.ts'
import { recall, remember } from '../../lib/store.ts'
import { chooseZone } from '../../lib/time.ts'
import { paths } from '../../paths.ts'
import type { CustomerArea } from '../../session/use-customer-area.ts'
import { HistoryActions } from './history-actions.tsx'
import { HistoryMain } from './history-main.tsx'
import { HistoryNotices } from './history-notices.tsx'
import { PointsPanel } from './points-panel.tsx'
import { RangeBar } from './range-bar.tsx'
import { type History, useHistory } from './use-history.ts'

const COLLAPSED = 'portal.history-points-collapsed'

interface HistoryViewProps {
  area: CustomerArea
  report: Report | null
  /** The address names a report that there is not. */
  reportGone: boolean
}

export function HistoryView({ area, report, reportGone }: HistoryViewProps) {
  const { customerId, customerPath } = area
  const layout = useLayout()
  const [query] = useSearchParams()
  const history = useHistory(area, report)
  const { view, chosen, nameOf, tooMany } = history
  const [choosing, setChoosing] = useState(false)
  const [collapsed, setCollapsed] = useState(() => recall<boolean>(COLLAPSED) ?? false)
  const place = useRef<HTMLElement>(null)
  const { data: device } = useDevice(customerId, query.get('deviceUuid') ?? view.points[0]?.deviceUuid ?? '')
  const missing = chosen.filter(({ state }) => state === 'missing').map(nameOf)
  const panel = <PointsPanel {...{ customerId, device, history }} />
  const deviceAddress = device && paths.device(customerPath, device.deviceUuid)
  const collapse = () => {
    setCollapsed(!collapsed)
    remember(COLLAPSED, !collapsed)
  }

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
        actions={
          <HistoryActions
            {...{ area, report, history, place }}
            onChoose={layout === 'mobile' ? () => setChoosing(true) : null}
          />
        }
      />
      <HistoryNotices {...{ reportGone, missing, tooMany }} />
      <Range history={history} />
      <div className="history-columns" data-collapsed={collapsed || undefined}>
        {layout === 'desktop' && (
          <aside className="card history-points">
            <button
              type="button"
              className="button quiet small panel-toggle"
              aria-expanded={!collapsed}
              aria-label={collapsed ? 'Show the points' : 'Hide the points'}
              title={collapsed ? 'Show the points' : 'Hide the points'}
              onClick={collapse}
            >
              <PanelLeft />
              {collapsed && (
                <span className="tab-count">
                  {view.points.length}/{CHART_POINTS_MAX}
                </span>
              )}
            </button>
            {!collapsed && panel}
          </aside>
        )}
        <HistoryMain {...{ customerId, history, place }} />
      </div>
      {choosing && (
        <Modal title="Points" kind="screen" onClose={() => setChoosing(false)}>
          <div className="modal-body history-points">{panel}</div>
          <div className="modal-actions">
            <button type="button" className="button primary" onClick={() => setChoosing(false)}>
              Done
            </button>
          </div>
        </Modal>
      )}
    </div>
  )
}

function Range({ history }: { history: History }) {
  const { view, change, range, zoom, zone, asOf, refresh, zoomIn } = history
  return (
    <RangeBar
      filter={view.filter}
      range={range}
      zoom={zoom}
      zone={zone}
      nowMs={asOf}
      compare={view.compare}
      onFilter={(filter) => change({ filter, custom: filter === CUSTOM_RANGE ? range : null, zoom: null })}
      onCustom={(custom) => change({ filter: CUSTOM_RANGE, custom, zoom: null })}
      onZoom={zoomIn}
      onZone={(chosenZone) => {
        chooseZone(chosenZone)
        change({ zone: null, zoom: null })
      }}
      onCompare={(compare) => change({ compare })}
      onRefresh={refresh}
    />
  )
}
