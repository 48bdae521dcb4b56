import Plus from 'lucide-react/icons/plus'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import X from 'lucide-react/icons/x'
import type { DevicePage } from '#shared/entities.ts'
import { formatNumber } from '../../../lib/format.ts'
import type { Load } from '../../../lib/http/query.ts'
import { useTablet } from '../../../lib/layout.ts'
import { showDialog } from '../../../ui/dialog/dialogs.ts'
import { Updated } from '../../../ui/list/updated.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { useSession } from '../../session/session.ts'
import { useDeviceCount } from '../api.ts'
import { type DeviceView, FIRST_VIEW } from '../device-view.ts'
import { SAVED_VIEWS_MAX, type SavedView, sameView, useSavedViews } from '../saved-views.ts'
import type { DevicesProps } from './devices-props.ts'

const AGE_MS = 10_000

interface DeviceViewsProps extends DevicesProps {
  load: Load<DevicePage>
}

/** Above the devices: the views that have a name, and how old what shows is. */
export function DeviceViews({ customerId, list, control, project, load }: DeviceViewsProps) {
  const { user } = useSession()
  const { views, save, remove } = useSavedViews(user.id, customerId)
  const { view, change, searchFor } = control
  const saved = views.find(({ name }) => name === view.name)
  // Of somebody else: it has come with the address.
  const shared = view.name !== null && !saved ? { ...view, name: view.name } : null
  const all = project ? project.deviceCount : list?.totals.devices
  const everything: DeviceView = { ...FIRST_VIEW, project: view.project }
  const refusal = refusalOf(view, saved ?? everything, saved !== undefined, views.length)
  const askName = () =>
    showDialog(async (close) => {
      const { SaveView } = await import('./save-view.tsx')
      return (
        <SaveView
          name={view.name ?? ''}
          taken={views.map(({ name }) => name)}
          onSave={(name) => {
            save({ ...view, name })
            change({ name })
          }}
          onClose={close}
        />
      )
    })
  return (
    <div className="device-views">
      <h2 id="devices-heading">Devices</h2>
      <nav aria-label="Views">
        <ul>
          <li>
            <ViewLink to={searchFor(everything)} name="All" count={all} current={view.name === null} />
          </li>
          {[...views, ...(shared ? [shared] : [])].map((one) => (
            <li key={one.name}>
              <CountedLink
                customerId={customerId}
                view={one}
                to={searchFor(one)}
                current={one.name === view.name}
              />
              {one === saved && (
                <button
                  type="button"
                  className="button quiet icon small"
                  aria-label={`Delete the view ${one.name}`}
                  title="Delete view"
                  onClick={() => {
                    remove(one.name)
                    change(everything)
                  }}
                >
                  <X />
                </button>
              )}
            </li>
          ))}
        </ul>
      </nav>
      <button
        type="button"
        className="button quiet save-view"
        aria-disabled={refusal !== null}
        title={refusal ?? undefined}
        onClick={() => refusal === null && askName()}
      >
        <Plus />
        Save view
      </button>
      <Refresh load={load} />
    </div>
  )
}

function Refresh({ load }: { load: Load<DevicePage> }) {
  const tablet = useTablet()
  return (
    <span className="refresh">
      <Updated busy={load.busy} failed={load.error !== undefined} everyMs={AGE_MS} />
      <button
        type="button"
        className={tablet ? 'button quiet icon' : 'button'}
        aria-label="Refresh the list"
        aria-disabled={load.busy}
        onClick={() => load.busy || load.reload()}
      >
        <RefreshCw />
        {!tablet && <span>Refresh</span>}
      </button>
    </span>
  )
}

/** Why the view cannot be saved as it is; null when it can. */
function refusalOf(view: DeviceView, known: DeviceView, saved: boolean, count: number): string | null {
  if (sameView(view, known)) return saved ? 'This view is saved' : 'Filter, sort or choose columns first'
  return !saved && count >= SAVED_VIEWS_MAX ? `At most ${SAVED_VIEWS_MAX} views can be saved` : null
}

interface CountedLinkProps {
  customerId: string
  view: SavedView
  to: string
  current: boolean
}

function CountedLink({ customerId, view, ...link }: CountedLinkProps) {
  return <ViewLink {...link} name={view.name} count={useDeviceCount(customerId, view)} />
}

interface ViewLinkProps {
  to: string
  name: string
  count: number | undefined
  current: boolean
}

function ViewLink({ to, name, count, current }: ViewLinkProps) {
  return (
    <PrefetchLink to={to} className="view-link" aria-current={current ? 'true' : undefined}>
      {name}
      {count !== undefined && <span className="tab-count">{formatNumber(count)}</span>}
    </PrefetchLink>
  )
}
