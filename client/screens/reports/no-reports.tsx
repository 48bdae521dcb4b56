import FileChartColumn from 'lucide-react/icons/file-chart-column'
import SearchX from 'lucide-react/icons/search-x'
import { Panel } from '../../components/panel.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { paths } from '../../paths.ts'

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

export function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <Panel
      icon={SearchX}
      title="No reports match"
      actions={
        <button type="button" className="button" onClick={onClear}>
          Clear filters
        </button>
      }
    />
  )
}
