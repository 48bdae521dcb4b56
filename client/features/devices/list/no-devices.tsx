import HardDrive from 'lucide-react/icons/hard-drive'
import SearchX from 'lucide-react/icons/search-x'
import { unsearchableCharacters, withoutUnsearchable } from '#shared/devices.ts'
import { NO_DEVICES, NO_DEVICES_HINT } from '#shared/messages.ts'
import { holds } from '#shared/permissions.ts'
import { paths } from '../../../lib/paths.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Panel } from '../../../ui/state/panel.tsx'
import { deletionRefusal, useCustomer } from '../../customers/customer.ts'
import { useSession } from '../../session/session.ts'
import { isNarrowed, NO_FILTERS } from '../device-view.ts'
import type { ViewControl } from '../use-device-view.ts'
import type { DevicesProps } from './devices-props.ts'

export type NoDevicesProps = Pick<DevicesProps, 'control' | 'project' | 'projects'>

/** None registered, none found, or none that could be found: each says its own. */
export default function NoDevices({ control, project, projects }: NoDevicesProps) {
  return isNarrowed(control.view) ? (
    <NoMatch {...control} />
  ) : (
    <NoneRegistered project={project} projects={projects} />
  )
}

function NoneRegistered({ project, projects }: Omit<NoDevicesProps, 'control'>) {
  const customer = useCustomer()
  const { user } = useSession()
  const [only, ...others] = customer.list?.projects ?? []
  const shown = project ?? (others.length === 0 ? only : undefined)
  const deletable = shown && customer.can('projects:delete') && deletionRefusal(shown) === null
  return (
    <Panel
      icon={HardDrive}
      title={NO_DEVICES}
      headingLevel={3}
      actions={
        <>
          {holds(user.roleAssignments, 'partner_admin') && customer.can('devices:register') && (
            <PrefetchLink
              to={paths.registerDeviceAt(customer.customerId, shown?.id ?? null)}
              className="button primary"
            >
              Register Device
            </PrefetchLink>
          )}
          {deletable && (
            <button type="button" className="link-button" onClick={() => projects.showDelete(shown)}>
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

function NoMatch({ view, change }: ViewControl) {
  const keyword = view.q.trim()
  const filtered = view.service !== null || view.expires !== null || view.plan !== null
  const unsearchable = unsearchableCharacters(keyword)
  const rest = withoutUnsearchable(keyword).trim()
  return (
    <Panel
      icon={SearchX}
      title={keyword === '' ? 'No devices match these filters' : `No devices match “${view.q}”`}
      headingLevel={3}
      actions={
        <>
          {unsearchable.length > 0 && rest !== '' && (
            <button type="button" className="button primary" onClick={() => change({ q: rest })}>
              Search without them
            </button>
          )}
          {keyword !== '' && (
            <button type="button" className="button" onClick={() => change({ q: '' })}>
              Clear search
            </button>
          )}
          {filtered && (
            <button type="button" className="button" onClick={() => change(NO_FILTERS)}>
              Clear filters
            </button>
          )}
        </>
      }
    >
      {unsearchable.length > 0 && (
        <p>
          Search can't use these characters:{' '}
          <span className="mono unsearchable">{unsearchable.join(' ')}</span>
        </p>
      )}
    </Panel>
  )
}
