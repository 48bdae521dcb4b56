import './style.css'
import '../points/style.css'
import ChartLine from 'lucide-react/icons/chart-line'
import { lazy, type ReactNode, Suspense } from 'react'
import { useSearchParams } from 'react-router-dom'
import { isNotFound } from '../../../lib/http/api-error.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { Skeleton } from '../../../ui/state/loading.tsx'
import { NotFound, Panel } from '../../../ui/state/panel.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { useCustomer } from '../../sites/customers/customer.tsx'
import { useDevice } from '../../sites/devices/api.ts'
import { readHistoryView } from '../points/history-address.ts'
import { useReport } from '../reports/api.ts'
import { HistoryView } from './history-view.tsx'

const PaperView = lazy(() => import('./paper/paper-view.tsx'))

export default function HistoryPage() {
  const area = useCustomer()
  const { customerId, customerPath, orgName } = area
  const [query] = useSearchParams()
  const { flags } = useSession()
  const reportId = query.get('reportId')
  const report = useReport(customerId, area.can('reports:view') ? reportId : null)
  const view = readHistoryView(query)
  const { points } = view
  const device = useDevice(customerId, query.get('deviceUuid') ?? points[0]?.deviceUuid ?? '')

  const failure = area.error ?? (isNotFound(report.error) ? undefined : report.error)
  const isWaiting = orgName === undefined || (reportId !== null && !report.data && !isNotFound(report.error))
  let placeholder: ReactNode = null
  if (!flags.enableHistoryCharting)
    placeholder = (
      <Panel
        icon={ChartLine}
        title="History charts are switched off in this portal"
        actions={
          <PrefetchLink className="button" to={paths.dataService(customerPath)}>
            Data Service
          </PrefetchLink>
        }
      >
        <p>Points and their current values are in the data service.</p>
      </Panel>
    )
  else if (isWaiting && failure === undefined) placeholder = <Skeleton width="50%" label="Loading history" />
  else if (isWaiting)
    placeholder = (
      <ErrorPanel
        error={failure}
        isFetching={area.isFetching || report.isFetching}
        refetch={() => {
          area.refetch()
          report.refetch()
        }}
      />
    )
  else if (!area.can('data:query'))
    placeholder = (
      <Panel icon={ChartLine} title="Your role does not include histories">
        <p>Ask an administrator of {orgName} for access to data services.</p>
      </Panel>
    )
  else if (points.length === 0 && reportId === null && isNotFound(device.error))
    return <NotFound home={customerPath} />
  if (placeholder)
    return (
      <>
        <TitleBlock title="History" crumbs={[...area.trail, { label: 'History' }]} />
        {placeholder}
      </>
    )
  if (view.paper)
    return (
      <Suspense fallback={<Skeleton width="50%" label="Loading history" />}>
        <PaperView key={reportId ?? ''} area={area} report={report.data ?? null} />
      </Suspense>
    )
  return (
    <HistoryView
      key={reportId ?? ''}
      area={area}
      device={device.data}
      report={report.data ?? null}
      reportGone={isNotFound(report.error)}
    />
  )
}
