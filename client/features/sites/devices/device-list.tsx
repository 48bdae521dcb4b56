import './style.css'
import FilePenLine from 'lucide-react/icons/file-pen-line'
import FolderTree from 'lucide-react/icons/folder-tree'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import type { Device, Missing } from '#shared/answers/customers.ts'
import { DEVICE_SEARCHED } from '#shared/devices.ts'
import { DEVICE_PAGE_SIZE, DEVICE_PAGE_SIZE_MOBILE } from '#shared/limits.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLayout, useTablet } from '../../../lib/layout.ts'
import { paths } from '../../../lib/paths.ts'
import type { ListColumn } from '../../../ui/list/columns/column.ts'
import type { Filter } from '../../../ui/list/filters/filters.tsx'
import { List } from '../../../ui/list/list.tsx'
import { SelectionBar } from '../../../ui/list/selection/selection-bar.tsx'
import { useSelection } from '../../../ui/list/selection/use-selection.ts'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { Notice } from '../../../ui/state/notice.tsx'
import { type ProjectEntry, useCustomer } from '../customers/customer.tsx'
import { fetchDevices, useDevices } from './api.ts'
import { deviceColumns } from './columns.tsx'
import { actionsOf } from './device-actions.tsx'
import { type DeviceQuery, type DeviceView, isNarrowed } from './device-view.ts'
import { DEVICE_FILTERS } from './filters.tsx'
import { USAGE_LOADING } from './messages.ts'
import { NoDevices, NoMatchingDevices } from './no-devices.tsx'
import { SavedViews } from './saved-views.tsx'
import { SelectionActions } from './selection-actions.tsx'
import { ServicesUnknown, useDeviceServices } from './service-links/service-links.tsx'

/** Maximum number of rows of an exported file. */
const EXPORT_ROWS_MAX = 20_000

export interface DeviceListProps {
  query: DeviceQuery
  project: ProjectEntry | undefined
  /** Whether the project list is beside the devices. */
  besideProjects: boolean
  /** A dialog to choose a project, for screens that hide the project list. */
  chooseProject: (close: () => void) => ReactNode
  deleteProject: (project: ProjectEntry) => void
}

/** A customer's devices: a growing list of cards on a phone, else a paged table, with a details sheet on a tablet. */
export function DeviceList(props: DeviceListProps) {
  const { query, project, besideProjects, chooseProject, deleteProject } = props
  const { customerId, customerPath, can, orgName = '' } = useCustomer()
  const tablet = useTablet()
  const phone = useLayout() === 'mobile' && !tablet
  const isDesk = !tablet && !phone
  const view = query.values
  const size = phone || tablet ? DEVICE_PAGE_SIZE_MOBILE : DEVICE_PAGE_SIZE
  const load = useDevices(customerId, view, size, phone)
  const { data, more } = load
  const chosen = useSelection(uuidOf, data?.items)
  const { drop } = chosen
  const services = useDeviceServices()
  const withUsage = view.plan !== ''
  const columns = useMemo(() => deviceColumns(services, withUsage), [services, withUsage])
  const actions = useCallback(
    (device: Device) => actionsOf(device, { can }, () => drop([device.deviceUuid])),
    [can, drop]
  )
  const total = data?.page.totalElements ?? null
  const button = <ProjectButton chooseProject={chooseProject} project={project} />
  const filters = phone ? [projectFilter(project, button), ...DEVICE_FILTERS] : DEVICE_FILTERS
  const chipFilters = besideProjects || tablet ? DEVICE_FILTERS : [projectFilter(project), ...DEVICE_FILTERS]
  const empty = <NoDevices project={project} deleteProject={deleteProject} />
  return (
    <List
      noun="device"
      className={tablet ? 'devices tablet' : 'devices'}
      load={load}
      page={data}
      size={size}
      query={query}
      columns={columns}
      head={!phone && <SavedViews query={query} project={project} load={load} />}
      toolbar={{
        lead: tablet && button,
        search: isDesk ? searchLabel(columns) : 'Search devices',
        filters,
        fieldsMax: 0,
        chipFilters,
        file: {
          name: `devices ${orgName}`,
          max: EXPORT_ROWS_MAX,
          read: (max, signal) => fetchDevices(customerId, view, max, signal)
        },
        end: !phone && can('devices:edit') && (
          <PrefetchLink
            to={paths.bulkEdit(customerPath, query.searchFor({}))}
            className="button icon"
            aria-label="Edit as CSV"
            title="Edit as CSV"
          >
            <FilePenLine />
          </PrefetchLink>
        )
      }}
      notices={data && <PartialNotices partial={data.partial} onRetry={load.refetch} />}
      rows={{
        caption: project ? `Devices of ${project.projectName}` : 'Devices',
        rowKey: uuidOf,
        nameOf,
        recycles: true,
        columnChoice: {
          inAddress: { text: view.columns, onChange: (text) => query.change({ columns: text }) },
          omit: project ? IN_PROJECT : undefined
        },
        actions,
        selection: { chosen },
        sheet: true,
        sheetLead: ({ deviceUuid }) => (
          <PrefetchLink to={paths.device(customerPath, deviceUuid)} className="button primary">
            Open device
          </PrefetchLink>
        )
      }}
      empty={empty}
      noMatch={isNarrowed(view) ? <NoMatchingDevices query={query} partial={data?.partial ?? []} /> : empty}
      foot={{
        selectionBar: (
          <SelectionBar noun="device" selection={chosen}>
            <SelectionActions columns={columns} selection={chosen} view={view} total={total ?? 0} />
          </SelectionBar>
        ),
        loadMore: phone ? more && { label: `Load next ${DEVICE_PAGE_SIZE_MOBILE}`, onLoad: more } : undefined
      }}
    />
  )
}

const uuidOf = ({ deviceUuid }: Device) => deviceUuid
const nameOf = ({ deviceName }: Device) => deviceName
const searchLabel = (columns: readonly ListColumn<Device>[]) =>
  columns
    .filter(({ id }) => DEVICE_SEARCHED.some((field) => field === id))
    .map(({ header }) => header)
    .join(', ')
/** Columns that are redundant within one project. */
const IN_PROJECT = ['projectName']

const projectFilter = (project: ProjectEntry | undefined, field?: ReactNode): Filter<DeviceView> => ({
  names: ['project'],
  field: () => (
    <div className="form-field">
      <span className="field-label">Project</span>
      {field}
    </div>
  ),
  chips: ({ clear }) => (project ? [{ label: project.projectName, onRemove: () => clear('project') }] : [])
})

type ProjectButtonProps = Pick<DeviceListProps, 'chooseProject' | 'project'>

function ProjectButton({ chooseProject, project }: ProjectButtonProps) {
  const { list } = useCustomer()
  const tablet = useTablet()
  const [dialogOpen, setDialogOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="button project-button"
        aria-haspopup="dialog"
        onClick={() => setDialogOpen(true)}
      >
        <span className="sr-only">Filter by project: </span>
        {tablet && <FolderTree />}
        <span className="clip">{project ? project.projectName : 'All Projects'}</span>
        {tablet && list && (
          <span className="muted">{formatNumber(project?.deviceCount ?? list.totals.devices)}</span>
        )}
      </button>
      {dialogOpen && chooseProject(() => setDialogOpen(false))}
    </>
  )
}

function PartialNotices({ partial, onRetry }: { partial: readonly Missing[]; onRetry: () => void }) {
  return (
    <>
      {partial.includes('subscriptions') && <ServicesUnknown onRetry={onRetry} />}
      {partial.includes('plans') && <Notice tone="info">{USAGE_LOADING}</Notice>}
    </>
  )
}
