import { useEffect, useMemo, useRef } from 'react'
import { DEVICE_PAGE_SIZE_MOBILE } from '#shared/limits.ts'
import { failureOf } from '../../../lib/http/api-error.ts'
import { LoadMore } from '../../../ui/list/load-more.tsx'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { ProgressBar } from '../../../ui/state/loading.tsx'
import { useDeviceList } from '../api.ts'
import { useDeviceServices } from '../service-links/use-device-services.ts'
import { PhoneToolbar } from '../toolbar/phone-toolbar.tsx'
import { deviceColumns } from './columns.tsx'
import { DeviceCard } from './device-card.tsx'
import type { DevicesProps } from './devices-props.ts'
import { DeviceRowsSkeleton } from './devices-skeleton.tsx'
import { DeviceNotices, DeviceSelection, NoDevices } from './lazy-parts.tsx'

/** The devices on smaller screens: a growing list of rows that open. */
export default function DeviceCards(props: DevicesProps) {
  const { customerId, list, control, project, selection, projects } = props
  const { view } = control
  const pages = useDeviceList(customerId, view)
  const { data, error, busy } = pages
  const devices = data?.flatMap((page) => page.items) ?? []
  const total = data?.[0]?.page.totalElements ?? 0
  const partial = [...new Set(data?.flatMap((page) => page.partial))]
  const services = useDeviceServices(list, !partial.includes('subscriptions'))
  const withUsage = view.plan !== null
  const columns = useMemo(() => deviceColumns(services, withUsage), [services, withUsage])
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
      <h2 id="devices-heading" className="sr-only">
        Devices
      </h2>
      <PhoneToolbar {...props} columns={columns} total={data ? total : null} />
      <DeviceNotices load={pages} partial={partial} />
      {!data && error === undefined && <DeviceRowsSkeleton />}
      {!data && error !== undefined && (
        <ErrorPanel failure={failureOf(error)} busy={busy} onRefresh={pages.reload} />
      )}
      {data && total === 0 && <NoDevices control={control} project={project} projects={projects} />}
      <ul ref={rows}>
        {devices.map((device) => (
          <DeviceCard
            key={device.deviceUuid}
            device={device}
            columns={columns}
            expiry={services.expiryOf(device)}
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
      <DeviceSelection columns={columns} selection={selection} view={view} total={total} />
    </section>
  )
}
