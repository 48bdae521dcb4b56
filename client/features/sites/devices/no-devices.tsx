import HardDrive from 'lucide-react/icons/hard-drive'
import type { Missing } from '#shared/answers/customers.ts'
import { holds } from '#shared/permissions.ts'
import { SUBSCRIPTIONS_UNREAD } from '../../../lib/messages.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { deletionRefusal, useCustomer } from '../customers/customer.tsx'
import type { DeviceListProps } from './device-list.tsx'
import { type DeviceView, isNarrowed } from './device-view.ts'
import { NO_DEVICES, NO_DEVICES_HINT } from './messages.ts'
import { NoDeviceMatches } from './no-match.tsx'

export function NoDevices({ project, deleteProject }: Pick<DeviceListProps, 'project' | 'deleteProject'>) {
  const customer = useCustomer()
  const { user } = useSession()
  const [firstProject, ...otherProjects] = customer.list?.projects ?? []
  const shownProject = project ?? (otherProjects.length === 0 ? firstProject : undefined)
  const deletable = shownProject && customer.can('projects:delete') && deletionRefusal(shownProject) === null
  return (
    <Panel
      icon={HardDrive}
      title={NO_DEVICES}
      headingLevel={3}
      actions={
        <>
          {holds(user.roleAssignments, 'partner_admin') && customer.can('devices:register') && (
            <PrefetchLink
              to={paths.registerDeviceAt(customer.customerId, shownProject?.id ?? null)}
              className="button primary"
            >
              Register Device
            </PrefetchLink>
          )}
          {deletable && (
            <button type="button" className="link-button" onClick={() => deleteProject(shownProject)}>
              Delete Project
            </button>
          )}
        </>
      }
    >
      <p>{NO_DEVICES_HINT}</p>
    </Panel>
  )
}

/** Why no device matches. Filters find nothing while the data that they need is missing. */
function titleOf({ q, service, expires, plan }: DeviceView, partial: readonly Missing[]): string {
  if ((service || expires) && partial.includes('subscriptions')) return SUBSCRIPTIONS_UNREAD
  if (plan && partial.includes('plans')) return 'No devices match so far'
  return q.trim() === '' ? 'No devices match these filters' : `No devices match “${q}”`
}

interface NoMatchingDevicesProps extends Pick<DeviceListProps, 'query'> {
  partial: readonly Missing[]
}

export function NoMatchingDevices({ query, partial }: NoMatchingDevicesProps) {
  const { values: view, change, clear } = query
  return (
    <NoDeviceMatches title={titleOf(view, partial)} keyword={view.q} onSearch={(q) => change({ q })}>
      {isNarrowed({ ...view, q: '' }) && (
        <button type="button" className="button" onClick={() => clear('service', 'expires', 'plan')}>
          Clear filters
        </button>
      )}
    </NoDeviceMatches>
  )
}
