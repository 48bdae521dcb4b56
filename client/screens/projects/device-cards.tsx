import { useEffect, useRef } from 'react'
import { DEVICE_PAGE_SIZE_MOBILE } from '#shared/limits.ts'
import { failureOf } from '../../api/api-error.ts'
import { useDeviceList } from '../../api/devices.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { ProgressBar } from '../../components/progress-bar.tsx'
import { formatNumber } from '../../lib/format.ts'
import { DeviceCard } from './device-card.tsx'
import { DeviceCardsToolbar } from './device-cards-toolbar.tsx'
import { DeviceNotices } from './device-notices.tsx'
import { DeviceSortSelect } from './device-sort.tsx'
import { DeviceTableSkeleton } from './device-table-skeleton.tsx'
import type { DevicesProps } from './devices-props.ts'
import { NoDevices, SelectionBar } from './later-parts.tsx'
import { useDeviceServices } from './use-device-services.ts'

/** The devices on smaller screens: a growing list of rows that open. */
export default function DeviceCards(props: DevicesProps) {
  const { customerId, list, control, project, selection, showProject } = props
  const { view } = control
  const pages = useDeviceList(customerId, view)
  const { data, error, busy } = pages
  const devices = data?.flatMap((page) => page.items) ?? []
  const total = data?.[0]?.page.totalElements ?? 0
  const partial = [...new Set(data?.flatMap((page) => page.partial))]
  const services = useDeviceServices(list, !partial.includes('subscriptions'))
  const rows = useRef<HTMLUListElement>(null)
  const focusAt = useRef<number>(undefined)

  useEffect(() => {
    if (focusAt.current === undefined || devices.length <= focusAt.current) return
    rows.current?.children[focusAt.current]?.querySelector('a')?.focus()
    focusAt.current = undefined
  }, [devices.length])

  return (
    <section className="card devices" aria-labelledby="devices-heading" aria-busy={busy}>
      <ProgressBar busy={busy && data !== undefined} />
      <div className="card-head">
        <h2 id="devices-heading">Devices</h2>
        {data && <span className="muted">{formatNumber(total)}</span>}
        <DeviceSortSelect {...control} />
      </div>
      <DeviceCardsToolbar
        list={list}
        control={control}
        projectName={showProject ? project?.projectName : undefined}
      />
      <SelectionBar selection={selection} view={view} total={total} />
      <DeviceNotices load={pages} partial={partial} />
      {!data && error === undefined && <DeviceTableSkeleton />}
      {!data && error !== undefined && (
        <ErrorPanel failure={failureOf(error)} busy={busy} onRefresh={pages.reload} />
      )}
      {data && total === 0 && <NoDevices control={control} project={project} />}
      <ul ref={rows}>
        {devices.map((device) => (
          <DeviceCard
            key={device.deviceUuid}
            device={device}
            services={services}
            selected={selection.keys.has(device.deviceUuid)}
            onSelect={(on) => {
              const keys = new Set(selection.keys)
              if (on) keys.add(device.deviceUuid)
              else keys.delete(device.deviceUuid)
              selection.change(keys, devices)
            }}
          />
        ))}
      </ul>
      <p role="status" className="sr-only">
        {data && `${devices.length} of ${total} devices shown`}
      </p>
      {pages.hasMore && (
        <LoadMore
          label={`Load next ${DEVICE_PAGE_SIZE_MOBILE}`}
          busy={busy}
          onScroll={false}
          onLoad={() => {
            focusAt.current = devices.length
            pages.loadMore()
          }}
        />
      )}
    </section>
  )
}
