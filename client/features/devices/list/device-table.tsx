import Ellipsis from 'lucide-react/icons/ellipsis'
import Trash from 'lucide-react/icons/trash-2'
import { lazy, Suspense, useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { USAGE_SORT } from '#shared/devices.ts'
import type { Device, DevicePage } from '#shared/entities.ts'
import { DEVICE_PAGE_SIZE, DEVICE_PAGE_SIZE_MOBILE } from '#shared/limits.ts'
import { failureOf } from '../../../lib/http/api-error.ts'
import { useTablet } from '../../../lib/layout.ts'
import type { ListColumn } from '../../../ui/list/columns/column.ts'
import { type ColumnChoice, useColumnChoice } from '../../../ui/list/columns/column-choice.ts'
import { ListTable } from '../../../ui/list/list-table.tsx'
import { Pager } from '../../../ui/list/pager.tsx'
import { RowActions } from '../../../ui/list/row-actions.tsx'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { ProgressBar } from '../../../ui/state/loading.tsx'
import { useCustomer } from '../../customers/customer.ts'
import { useDevicePage } from '../api.ts'
import { actionsOf, showDeleteDevice } from '../device-actions.tsx'
import { useDeviceServices } from '../service-links/use-device-services.ts'
import { DeviceToolbar } from '../toolbar/device-toolbar.tsx'
import type { ViewControl } from '../use-device-view.ts'
import { deviceColumns } from './columns.tsx'
import { DeviceViews } from './device-views.tsx'
import type { DevicesProps } from './devices-props.ts'
import { DeviceRowsSkeleton } from './devices-skeleton.tsx'
import { DeviceNotices, DeviceSelection, NoDevices } from './lazy-parts.tsx'
import { useDensity } from './use-density.ts'

const TabletToolbar = lazy(() => import('../toolbar/tablet-toolbar.tsx'))
const DeviceSheet = lazy(() => import('./device-sheet.tsx'))

/** The devices on a wide screen: a page of a table, beside which projects are chosen; on a tablet details are a sheet. */
export default function DeviceTable(props: DevicesProps) {
  const { customerId, list, control, project, selection, projects, showProject } = props
  const { view, change } = control
  const tablet = useTablet()
  const [density, setDensity] = useDensity()
  const [open, setOpen] = useState<string | null>(null)
  const load = useDevicePage(customerId, view, tablet ? DEVICE_PAGE_SIZE_MOBILE : DEVICE_PAGE_SIZE)
  const { data, error, busy } = load
  const services = useDeviceServices(list, !data?.partial.includes('subscriptions'))
  const withUsage = view.plan !== null
  const columns = useMemo(() => deviceColumns(services, withUsage), [services, withUsage])
  const choice = useShownColumns(columns, control)
  const rowActions = useCallback(
    (device: Device) => (
      <DeviceActions key={device.deviceUuid} device={device} {...(tablet ? { onOpen: setOpen } : {})} />
    ),
    [tablet]
  )
  useLastPage(data, busy, control)
  const total = data?.page.totalElements ?? 0
  const toolbar = { ...props, columns, total: data ? total : null }
  return (
    <section className={`card devices ${tablet ? 'tablet' : density}`} aria-labelledby="devices-heading">
      <ProgressBar busy={busy && data !== undefined} />
      <DeviceViews {...props} load={load} />
      {tablet ? (
        <Suspense fallback={<div className="toolbar" />}>
          <TabletToolbar {...toolbar} />
        </Suspense>
      ) : (
        <DeviceToolbar
          {...toolbar}
          project={showProject ? project : undefined}
          choice={choice}
          density={density}
          onDensity={setDensity}
        />
      )}
      <DeviceNotices load={load} partial={data?.partial ?? []} />
      {!data && error === undefined && <DeviceRowsSkeleton />}
      {!data && error !== undefined && (
        <ErrorPanel failure={failureOf(error)} busy={busy} onRefresh={load.reload} />
      )}
      {data && total === 0 && <NoDevices control={control} project={project} projects={projects} />}
      {data && total > 0 && (
        <>
          <ListTable
            id="devices"
            label={project ? `Devices of ${project.projectName}` : 'Devices'}
            many="devices"
            columns={project ? choice.columns.filter(({ id }) => id !== 'projectName') : choice.columns}
            chosen
            rows={data.items}
            total={total}
            rowKey={uuidOf}
            nameOf={nameOf}
            recycles
            rowActions={rowActions}
            selection={{ chosen: selection }}
            sort={view.sort}
            order={view.order}
            onSort={(column) => change(nextSort(view, column))}
            busy={busy}
          />
          <div className="card-foot">
            <DeviceSelection columns={columns} selection={selection} view={view} total={total} />
            <Pager label="Pages of devices" page={data.page} onPage={(page) => change({ page })} />
          </div>
        </>
      )}
      {data && open !== null && (
        <Suspense>
          <DeviceSheet
            devices={data.items}
            columns={columns}
            uuid={open}
            onMove={setOpen}
            onClose={() => setOpen(null)}
          />
        </Suspense>
      )}
    </section>
  )
}

const uuidOf = ({ deviceUuid }: Device) => deviceUuid
const nameOf = ({ deviceName }: Device) => deviceName

/** The address says which columns show, or this browser remembers it. */
function useShownColumns(
  columns: readonly ListColumn<Device>[],
  { view, change }: ViewControl
): ColumnChoice<ListColumn<Device>> {
  const inTable = useMemo(() => columns.filter(({ table }) => table !== false), [columns])
  const asked = { text: view.columns, onChange: (text: string) => change({ columns: text }) }
  return useColumnChoice(inTable, { list: 'devices', asked })
}

interface DeviceActionsProps {
  device: Device
  /** Shows its details, in the place of a menu. */
  onOpen?: (deviceUuid: string) => void
}

/** At the end of a row: the deletion in sight, the rest in a menu or in the sheet of the device. */
function DeviceActions({ device, onOpen }: DeviceActionsProps) {
  const customer = useCustomer()
  return (
    <div className="device-actions">
      {customer.can('devices:delete') && (
        <button
          type="button"
          className="button quiet icon"
          aria-label={`Delete ${device.deviceName}`}
          title="Delete"
          onClick={() => showDeleteDevice(device)}
        >
          <Trash />
        </button>
      )}
      {onOpen ? (
        <button
          type="button"
          className="button quiet icon"
          aria-label={`Details of ${device.deviceName}`}
          aria-haspopup="dialog"
          onClick={() => onOpen(device.deviceUuid)}
        >
          <Ellipsis />
        </button>
      ) : (
        <RowActions name={device.deviceName} items={actionsOf(device, customer)} />
      )}
    </div>
  )
}

type View = ViewControl['view']

function nextSort(view: View, column: string): Partial<View> {
  const sort = column as View['sort']
  const first = sort === USAGE_SORT ? 'desc' : 'asc'
  const other = first === 'asc' ? 'desc' : 'asc'
  return { sort, order: view.sort === sort && view.order === first ? other : first }
}

/** From a page that is not there any more to the last one. */
function useLastPage(data: DevicePage | undefined, busy: boolean, control: ViewControl): void {
  const pastEnd = data !== undefined && data.items.length === 0 && data.page.totalElements > 0
  const lastPage = pastEnd && !busy ? data.page.totalPages - 1 : null
  const showLast = useEffectEvent((page: number) => control.correct({ page }))
  useEffect(() => {
    if (lastPage !== null) showLast(lastPage)
  }, [lastPage])
}
