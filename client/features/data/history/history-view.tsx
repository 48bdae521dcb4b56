import Link2 from 'lucide-react/icons/link-2'
import ListPlus from 'lucide-react/icons/list-plus'
import Printer from 'lucide-react/icons/printer'
import { useState } from 'react'
import type { Device } from '#shared/answers/customers.ts'
import { usePrinting } from '../../../lib/browser.ts'
import { copyText } from '../../../lib/copy-text.ts'
import { useLayout } from '../../../lib/layout.ts'
import { CHART_POINTS_MAX } from '../../../lib/limits.ts'
import { paths } from '../../../lib/paths.ts'
import { recall, remember } from '../../../lib/storage.ts'
import { rangeText } from '../../../lib/time/date-range.ts'
import { Modal } from '../../../ui/dialog/modal.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Notice } from '../../../ui/state/notice.tsx'
import { toasts } from '../../../ui/state/toasts.ts'
import { TitleBlock } from '../../../ui/title-block.tsx'
import type { Customer } from '../../sites/customers/customer.tsx'
import { writeHistoryView } from '../points/history-address.ts'
import type { Report } from '../reports/report.ts'
import { ExportMenu } from './export-menu.tsx'
import { HistoryMain } from './history-main.tsx'
import { paperAddress, paperViewOf } from './paper/paper-address.ts'
import { AddPoints, ChosenPoints } from './points-panel.tsx'
import { RangeBar, RangeLine } from './range-bar.tsx'
import { SaveReport } from './save-report.tsx'
import { type History, useHistory } from './use-history.ts'

const COLLAPSED_KEY = 'portal.history-points-collapsed'

interface HistoryViewProps {
  area: Customer
  device: Device | undefined
  report: Report | null
  reportGone: boolean
}

export function HistoryView({ area, device, report, reportGone }: HistoryViewProps) {
  const { customerId, customerPath } = area
  const isDesktop = useLayout() === 'desktop'
  const history = useHistory(area, report)
  const { view } = history
  // The point panel opens without points or if it was open last; otherwise the chart gets the width.
  const [open, setOpen] = useState(() => {
    const isEmpty = view.points.length === 0 && report === null
    return isDesktop && (isEmpty || recall<boolean>(COLLAPSED_KEY) === false)
  })
  const panel = (
    <>
      <ChosenPoints history={history} />
      <AddPoints customerId={customerId} device={device} history={history} />
    </>
  )
  const deviceAddress = device && paths.device(customerPath, device.deviceUuid)
  const toggle = () => {
    setOpen(!open)
    if (isDesktop) remember(COLLAPSED_KEY, open)
  }
  const opener = (
    <button type="button" className="button" aria-expanded={open} onClick={toggle}>
      {!isDesktop && <ListPlus />}
      Points ({view.points.length}/{CHART_POINTS_MAX})
    </button>
  )
  const actions = <Actions area={area} report={report} history={history} />
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
        actions={isDesktop && actions}
      />
      <PeriodOnPaper history={history} />
      <Notices tooMany={history.tooMany} reportGone={reportGone} />
      {isDesktop ? <RangeBar history={history}>{opener}</RangeBar> : <RangeLine history={history} />}
      <div className="stack history-columns" data-open={(isDesktop && open) || undefined}>
        <HistoryMain
          customerId={customerId}
          history={history}
          listsPending={!open}
          choose={isDesktop ? null : opener}
        />
        {isDesktop && open && <aside className="card stack history-points">{panel}</aside>}
      </div>
      {!isDesktop && (
        <div className="row history-foot">
          {view.points.length > 0 && opener}
          {actions}
        </div>
      )}
      {!isDesktop && open && (
        <Modal title="Points" kind="screen" onClose={toggle}>
          <div className="modal-body stack history-points">{panel}</div>
          <div className="row modal-actions">
            <button type="button" className="button primary" onClick={toggle}>
              Done
            </button>
          </div>
        </Modal>
      )}
    </div>
  )
}

/** Names the period on paper, where the fields of the range are left out. */
function PeriodOnPaper({ history: { inView, zone } }: { history: History }) {
  return usePrinting() && inView ? <p>{rangeText(inView, zone)}</p> : null
}

function Actions({
  area,
  report,
  history
}: Pick<HistoryViewProps, 'area' | 'report'> & { history: History }) {
  const { view, zone } = history

  function share() {
    const link = new URL(window.location.href)
    link.search = String(writeHistoryView({ ...view, zone }, new URLSearchParams(link.search)))
    void copyText(link.href).then(
      () => toasts.ok('Link copied. It shows the same points, range and time zone.'),
      () => toasts.failed('The link could not be copied. Copy the address of this page instead.')
    )
  }

  return (
    <>
      <button type="button" className="button" onClick={share}>
        <Link2 />
        Share
      </button>
      <PrefetchLink className="button" to={paperAddress(area.customerPath, paperViewOf(history), report)}>
        <Printer />
        Print
      </PrefetchLink>
      {area.can('data:export') && <ExportMenu history={history} title={report?.reportName ?? 'History'} />}
      {area.can('reports:create') && <SaveReport area={area} report={report} history={history} />}
    </>
  )
}

function Notices({ tooMany, reportGone }: { tooMany: number; reportGone: boolean }) {
  return (
    <div className="history-notices">
      {reportGone && <Notice tone="warn">This report no longer exists. Its points are still charted.</Notice>}
      {tooMany > 0 && (
        <Notice tone="warn">
          The address names {CHART_POINTS_MAX + tooMany} points. A chart shows only the first{' '}
          {CHART_POINTS_MAX}.
        </Notice>
      )}
    </div>
  )
}
