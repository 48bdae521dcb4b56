import '../../style/device-details.css'
import '../../style/points.css'
import ChartLine from 'lucide-react/icons/chart-line'
import { lazy, Suspense } from 'react'
import { useLocation } from 'react-router-dom'
import type { Device } from '#shared/entities.ts'
import { useDeviceAlarmCount } from '../../api/alarm-count.ts'
import { failureOf, isNotFound } from '../../api/api-error.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { NotFound } from '../../components/not-found.tsx'
import { Notice } from '../../components/notice.tsx'
import { PrefetchLink } from '../../components/prefetch-link.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { TitleBlock } from '../../components/title-block.tsx'
import { DeviceAlarms } from '../../device-alarms.tsx'
import { offeringProblem } from '../../lib/service-links.ts'
import { paths } from '../../paths.ts'
import { useSession } from '../../session/session.ts'
import { type CustomerArea, useCustomerArea } from '../../session/use-customer-area.ts'
import { useListQuery } from '../../session/use-list-query.ts'
import { DeviceFacts } from './device-facts.tsx'
import { DeviceNeighbours } from './device-neighbours.tsx'
import { DeviceSkeleton } from './device-skeleton.tsx'
import { NoDevice } from './no-device.tsx'
import { NoService } from './no-service.tsx'
import { PointsTab } from './points-tab.tsx'
import { useShownDevice } from './use-shown-device.ts'

// Most visits are to look: what can be done comes after what is to be seen.
const DeviceMenu = lazy(() => import('./device-menu.tsx'))

export default function DevicePage() {
  const area = useCustomerArea()
  const { pathname, search } = useLocation()
  const { flags } = useSession()
  const { data: device, error, busy, reload, deviceUuid } = useShownDevice(area.customerId)
  const failure = error ?? area.error

  if (isNotFound(area.error)) return <NotFound path={pathname} home={paths.home} />
  const unknown = isNotFound(error)
  if (unknown || !deviceUuid) return <NoDevice area={area} known={!unknown} path={pathname + search} />
  const history = flags.enableHistoryCharting && device && area.can('data:query')
  return (
    <>
      <TitleBlock
        title={device?.deviceName ?? (failure === undefined ? null : 'Device Details')}
        crumbs={[...area.trail, { label: 'Device Details' }]}
        actions={
          device && (
            <>
              <DeviceNeighbours area={area} device={device} />
              {history && (
                <PrefetchLink className="button" to={paths.history(area.customerPath, device.deviceUuid)}>
                  <ChartLine />
                  History
                </PrefetchLink>
              )}
              <Suspense fallback={<span className="button menu-to-come" aria-hidden="true" />}>
                <DeviceMenu key={device.deviceUuid} area={area} device={device} />
              </Suspense>
            </>
          )
        }
      />
      {failure !== undefined && device && (
        <Notice tone="warn" action={{ label: 'Refresh', onAct: reload }}>
          {failureOf(failure).title}. The device below may be out of date.
        </Notice>
      )}
      {failure !== undefined && !device && (
        <ErrorPanel
          failure={failureOf(failure)}
          busy={busy}
          onRefresh={() => {
            reload()
            area.reload()
          }}
        />
      )}
      {device && <DeviceFacts area={area} device={device} />}
      {device && <DeviceTabs area={area} device={device} />}
      {!device && failure === undefined && <DeviceSkeleton />}
    </>
  )
}

function DeviceTabs({ area, device }: { area: CustomerArea; device: Device }) {
  const { nowMs } = useSession()
  const { values, change } = useListQuery({ tab: 'points' })
  const tab = values.tab === 'alarms' ? 'alarms' : 'points'
  const inactive = offeringProblem(device, 'NDS', nowMs())
  const alarms = useDeviceAlarmCount(
    area.customerId,
    area.can('alarms:query') && !inactive ? device.id : null
  )
  return (
    <Tabs
      label="Device"
      tabs={[
        { id: 'points', label: 'Points' },
        { id: 'alarms', label: 'Alarms', ...(alarms === undefined ? {} : { count: String(alarms) }) }
      ]}
      chosen={tab}
      onChoose={(id) => change({ tab: id })}
    >
      {inactive ? (
        <NoService reason={inactive} />
      ) : tab === 'points' ? (
        <PointsTab key={device.deviceUuid} area={area} device={device} />
      ) : (
        <DeviceAlarms
          customerId={area.customerId}
          device={device}
          {...(area.organizationId ? { organizationId: area.organizationId } : {})}
        />
      )}
    </Tabs>
  )
}
