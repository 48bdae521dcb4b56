import '../../style/history.css'
import '../../style/points.css'
import ChartLine from 'lucide-react/icons/chart-line'
import { useLocation, useSearchParams } from 'react-router-dom'
import { failureOf, isNotFound } from '../../api/api-error.ts'
import { useReport } from '../../api/reports.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { NotFound } from '../../components/not-found.tsx'
import { Panel } from '../../components/panel.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'
import { type CustomerArea, useCustomerArea } from '../../session/use-customer-area.ts'
import { HistoryView } from './history-view.tsx'

export default function HistoryPage() {
  const area = useCustomerArea()
  const { pathname } = useLocation()
  const [query] = useSearchParams()
  const { flags } = useSession()
  const reportId = query.get('reportId')
  const report = useReport(area.customerId, area.can('reports:view') ? reportId : null)

  if (isNotFound(area.error)) return <NotFound path={pathname} home={paths.home} />
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

function ChartingOff({ area }: { area: CustomerArea }) {
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
