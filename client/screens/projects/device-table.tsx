import { useEffect, useEffectEvent } from 'react'
import { failureOf } from '../../api/api-error.ts'
import { useDevicePage } from '../../api/devices.ts'
import { DataTable } from '../../components/data-table.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Pager } from '../../components/pager.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useCustomer } from '../../deeds/customer.ts'
import { DEVICE_SEARCH_THROTTLE_MS, SORT_NAMES } from '../../lib/device-view.ts'
import { formatNumber } from '../../lib/format.ts'
import { columnsOf } from './device-columns.tsx'
import { DeviceFilters } from './device-filters.tsx'
import { DeviceNotices } from './device-notices.tsx'
import { DeviceTableSkeleton } from './device-table-skeleton.tsx'
import type { DevicesProps } from './devices-props.ts'
import { NoDevices, SelectionBar } from './later-parts.tsx'
import { ProjectChip } from './project-chip.tsx'
import { useDeviceServices } from './use-device-services.ts'
import type { ViewControl } from './use-device-view.ts'

export default function DeviceTable(props: DevicesProps) {
  const { customerId, list, control, project, selection, showProject } = props
  const customer = useCustomer()
  const { view, change } = control
  const load = useDevicePage(customerId, view)
  const { data, error, busy } = load
  const services = useDeviceServices(list, !data?.partial.includes('subscriptions'))
  const pastEnd = data !== undefined && data.items.length === 0 && data.page.totalElements > 0

  const lastPage = pastEnd && !busy ? data.page.totalPages - 1 : null

  const showLast = useEffectEvent((page: number) => control.correct({ page }))
  useEffect(() => {
    if (lastPage !== null) showLast(lastPage)
  }, [lastPage])

  return (
    <section className="card devices" aria-labelledby="devices-heading">
      <ProgressBar busy={busy && data !== undefined} />
      <div className="card-head">
        <h2 id="devices-heading">Devices</h2>
        {data && <span className="muted">{formatNumber(data.page.totalElements)}</span>}
        {showProject && project && (
          <ProjectChip name={project.projectName} onClear={() => change({ project: null })} />
        )}
        <DeviceFilters {...control} />
        <SearchField
          label="Name, host ID, project, location"
          throttleMs={DEVICE_SEARCH_THROTTLE_MS}
          value={view.q}
          onSearch={(q) => change({ q })}
        />
      </div>
      <SelectionBar selection={selection} view={view} total={data?.page.totalElements ?? 0} />
      <DeviceNotices load={load} partial={data?.partial ?? []} />
      {!data && error === undefined && <DeviceTableSkeleton />}
      {!data && error !== undefined && (
        <ErrorPanel failure={failureOf(error)} busy={busy} onRefresh={load.reload} />
      )}
      {data && data.page.totalElements === 0 && <NoDevices control={control} project={project} />}
      {data && data.page.totalElements > 0 && (
        <>
          <DataTable
            caption={project ? `Devices of ${project.projectName}` : 'Devices'}
            columns={columnsOf(services, customer)}
            rows={data.items}
            rowKey={(device) => device.deviceUuid}
            recycles
            sort={view.sort}
            order={view.order}
            onSort={(column) => change(nextSort(view, column))}
            busy={busy}
            selection={{
              keys: selection.keys,
              onChange: (keys) => selection.change(keys, data.items),
              nameOf: ({ deviceName }) => deviceName
            }}
            status={statusOf(data.items.length, data.page.totalElements, view)}
          />
          <div className="card-foot">
            <Pager label="Pages of devices" page={data.page} onPage={(page) => change({ page })} />
          </div>
        </>
      )}
    </section>
  )
}

type View = ViewControl['view']

function nextSort(view: View, column: string): Partial<View> {
  const sort = column as View['sort']
  return { sort, order: view.sort === sort && view.order === 'asc' ? 'desc' : 'asc' }
}

function statusOf(shown: number, total: number, { sort, order }: View): string {
  const direction = order === 'asc' ? 'ascending' : 'descending'
  return `${shown} of ${formatNumber(total)} devices, sorted by ${SORT_NAMES[sort]} ${direction}`
}
