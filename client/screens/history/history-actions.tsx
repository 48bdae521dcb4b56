import Link2 from 'lucide-react/icons/link-2'
import ListTree from 'lucide-react/icons/list-tree'
import Save from 'lucide-react/icons/save'
import type { RefObject } from 'react'
import { CHART_POINTS_MAX } from '#shared/limits.ts'
import { writeHistoryView } from '../../lib/history-view.ts'
import type { Report } from '../../lib/report.ts'
import { toasts } from '../../lib/toasts.ts'
import type { CustomerArea } from '../../session/use-customer-area.ts'
import { ExportMenu } from './export-menu.tsx'
import { SaveReport } from './save-report.tsx'
import type { History } from './use-history.ts'

interface HistoryActionsProps {
  area: CustomerArea
  report: Report | null
  history: History
  /** Where the charts are, for a picture of them. */
  place: RefObject<HTMLElement | null>
  /** Opens the choice of points, where it is not in sight. */
  onChoose: (() => void) | null
}

/** What can be done with a history as a whole. */
export function HistoryActions({ area, report, history, place, onChoose }: HistoryActionsProps) {
  const { view, zone, range, inView, drawing, current, chosen, nameOf } = history

  function share() {
    const link = new URL(window.location.href)
    link.search = String(writeHistoryView({ ...view, zone }, new URLSearchParams(link.search)))
    navigator.clipboard.writeText(link.href).then(
      () => toasts.ok('Link copied. It shows the same points, range and zone.'),
      () => toasts.failed('The link could not be copied. Copy the address of this page instead.')
    )
  }

  return (
    <>
      {onChoose && (
        <button type="button" className="button" onClick={onChoose}>
          <ListTree />
          Points ({view.points.length}/{CHART_POINTS_MAX})
        </button>
      )}
      <button type="button" className="button" onClick={share}>
        <Link2 />
        Share
      </button>
      {area.can('data:export') && <ExportMenu {...{ drawing, zone, place }} lines={current} view={inView} />}
      {area.can('reports:create') && (
        <SaveReport
          area={area}
          report={report}
          view={view}
          range={range}
          points={chosen.map((one) => ({
            ...one.ref,
            pointName: nameOf(one),
            deviceName: one.device?.deviceName ?? null
          }))}
          icon={<Save />}
        />
      )}
    </>
  )
}
