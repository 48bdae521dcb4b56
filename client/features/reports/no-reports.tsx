import FileChartColumn from 'lucide-react/icons/file-chart-column'
import { paths } from '../../lib/paths.ts'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { Panel } from '../../ui/state/panel.tsx'

interface NoReportsProps {
  /** Customers that this person may create reports for. */
  creatable: readonly { id: string; orgName: string }[]
  organizationId: string | undefined
}

/** Where points are, for those who may make a report of them. */
export function NoReports({ creatable, organizationId }: NoReportsProps) {
  const [only, ...others] = creatable
  const home = organizationId ? paths.integrator(organizationId) : paths.home
  return (
    <Panel
      icon={FileChartColumn}
      headingLevel={3}
      title="No saved reports"
      actions={
        only && (
          <PrefetchLink
            className="button"
            to={others.length === 0 ? paths.customer(only.id, organizationId) : home}
          >
            {others.length === 0 ? only.orgName : 'All customers'}
          </PrefetchLink>
        )
      }
    >
      <p>Chart some points and choose Save as report.</p>
    </Panel>
  )
}
