import './style.css'
import '../points/style.css'
import ChartLine from 'lucide-react/icons/chart-line'
import { useSearchParams } from 'react-router-dom'
import { failureOf, isNotFound } from '../../lib/http/api-error.ts'
import { paths } from '../../lib/paths.ts'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { ErrorPanel } from '../../ui/state/error-panel.tsx'
import { Skeleton } from '../../ui/state/loading.tsx'
import { Panel } from '../../ui/state/panel.tsx'
import { TitleBlock } from '../../ui/title-block.tsx'
import { type Customer, useCustomer } from '../customers/customer.ts'
import { useReport } from '../reports/api.ts'
import { useSession } from '../session/session.ts'
import { HistoryView } from './history-view.tsx'

export default function HistoryPage() {
  const area = useCustomer()
  const [query] = useSearchParams()
  const { flags } = useSession()
  const reportId = query.get('reportId')
  const report = useReport(area.customerId, area.can('reports:view') ? reportId : null)

  if (!flags.enableHistoryCharting) return <ChartingOff area={area} />
  const failure = area.error ?? (isNotFound(report.error) ? undefined : report.error)
  const waits = area.orgName === undefined || (reportId !== null && !report.data && !isNotFound(report.error))
  if (waits)
    return (
      <>
        <TitleBlock title="History" crumbs={[...area.trail, { label: 'History' }]} />
        {failure === undefined ? (
          <Skeleton width="50%" label="Loading history" />
        ) : (
          <ErrorPanel
            failure={failureOf(failure)}
            busy={area.busy || report.busy}
            onRefresh={() => {
              area.reload()
              report.reload()
            }}
          />
        )}
      </>
    )
  if (!area.can('data:query'))
    return (
      <>
        <TitleBlock title="History" crumbs={[...area.trail, { label: 'History' }]} />
        <Panel icon={ChartLine} title="Your role does not include histories">
          <p>Ask an administrator of {area.orgName} for access to data services.</p>
        </Panel>
      </>
    )
  return (
    <HistoryView
      key={reportId ?? ''}
      area={area}
      report={report.data ?? null}
      reportGone={isNotFound(report.error)}
    />
  )
}

function ChartingOff({ area }: { area: Customer }) {
  return (
    <>
      <TitleBlock title="History" crumbs={[...area.trail, { label: 'History' }]} />
      <Panel
        icon={ChartLine}
        title="History charts are switched off in this portal"
        actions={
          <PrefetchLink className="button" to={paths.dataService(area.customerPath)}>
            Data Service
          </PrefetchLink>
        }
      >
        <p>Points and their current values are in the data service.</p>
      </Panel>
    </>
  )
}
