import Link2 from 'lucide-react/icons/link-2'
import Save from 'lucide-react/icons/save'
import { toasts } from '../../ui/state/toasts.ts'
import type { Customer } from '../customers/customer.ts'
import { writeHistoryView } from '../points/history-address.ts'
import type { Report } from '../reports/report.ts'
import { ExportMenu } from './export/export-menu.tsx'
import { SaveReport } from './save-report.tsx'
import type { History } from './use-history.ts'

interface HistoryActionsProps {
  area: Customer
  report: Report | null
  history: History
}

/** What can be done with a history as a whole. */
export default function HistoryActions({ area, report, history }: HistoryActionsProps) {
  const { view, zone, range, chosen, nameOf } = history

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
      <button type="button" className="button" onClick={share}>
        <Link2 />
        Share
      </button>
      {area.can('data:export') && <ExportMenu history={history} title={report?.reportName ?? 'History'} />}
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
