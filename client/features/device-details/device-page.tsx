import './style.css'
import '../data/points/style.css'
import ChartLine from 'lucide-react/icons/chart-line'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useSearchParams } from 'react-router-dom'
import type { Device } from '#shared/answers/customers.ts'
import { isNotFound } from '../../lib/http/api-error.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session/session.ts'
import { useListQuery } from '../../lib/use-list-query.ts'
import { PrefetchLink } from '../../ui/prefetch-link.tsx'
import { ErrorPanel } from '../../ui/state/error-panel.tsx'
import { StaleNotice } from '../../ui/state/notice.tsx'
import { NotFound } from '../../ui/state/panel.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { TitleBlock } from '../../ui/title-block.tsx'
import { AlarmBoard } from '../alarms/alarms/alarm-board.tsx'
import { useDeviceAlarmCount } from '../alarms/alarms/api.ts'
import { useCustomerScope } from '../alarms/alarms/scope.ts'
import { useCustomer } from '../sites/customers/customer.tsx'
import { useProjectDevices } from '../sites/devices/api.ts'
import { areSubscriptionsUnread, offeringProblem } from '../sites/devices/service-links/device-services.ts'
import { ServicesUnknown } from '../sites/devices/service-links/service-links.tsx'
import { DeviceFacts } from './device-facts.tsx'
import { DeviceMenu } from './device-menu.tsx'
import { DeviceSkeleton, NoService } from './device-states.tsx'
import { PointsTab } from './points/points-tab.tsx'
import { useShownDevice } from './use-shown.ts'

export default function DevicePage() {
  const area = useCustomer()
  const { flags } = useSession()
  const { data: device, error, isFetching, refetch, deviceUuid } = useShownDevice(area.customerId)
  const failure = error ?? area.error

  if (isNotFound(error) || !deviceUuid) return <NotFound home={area.customerPath} />
  const history = flags.enableHistoryCharting && device && area.can('data:query')
  return (
    <>
      <TitleBlock
        title={device?.deviceName ?? (failure === undefined ? null : 'Device Details')}
        crumbs={[...area.trail, { label: 'Device Details' }]}
        actions={
          device && (
            <>
              <DeviceNeighbours device={device} />
              {history && (
                <PrefetchLink className="button" to={paths.history(area.customerPath, device.deviceUuid)}>
                  <ChartLine />
                  History
                </PrefetchLink>
              )}
              {area.can('data:query-model') && (
                <PrefetchLink className="button" to={paths.dataService(area.customerPath, device.deviceUuid)}>
                  Data Service
                </PrefetchLink>
              )}
              <DeviceMenu key={device.deviceUuid} device={device} />
            </>
          )
        }
      />
      {failure !== undefined && device && (
        <StaleNotice error={failure} what="The device below" onRefresh={refetch} />
      )}
      {failure !== undefined && !device && (
        <ErrorPanel
          error={failure}
          isFetching={isFetching}
          refetch={() => {
            refetch()
            area.refetch()
          }}
        />
      )}
      {device && areSubscriptionsUnread(device) && <ServicesUnknown onRetry={refetch} />}
      {device && <DeviceFacts device={device} />}
      {device && <DeviceTabs device={device} />}
      {!device && failure === undefined && <DeviceSkeleton />}
    </>
  )
}

function DeviceTabs({ device }: { device: Device }) {
  const area = useCustomer()
  const { nowMs } = useSession()
  const { values, change } = useListQuery({ tab: 'points' })
  const tab = values.tab === 'alarms' ? 'alarms' : 'points'
  const problem = offeringProblem(device, 'NDS', nowMs())
  const alarms = useDeviceAlarmCount(area.customerId, area.can('alarms:query') && !problem ? device.id : null)
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
      {problem ? (
        <NoService reason={problem} />
      ) : tab === 'points' ? (
        <PointsTab key={device.deviceUuid} device={device} />
      ) : (
        <DeviceAlarms key={device.deviceUuid} device={device} />
      )}
    </Tabs>
  )
}

function DeviceAlarms({ device }: { device: Device }) {
  return <AlarmBoard scope={useCustomerScope(device)} title={null} />
}

/** Links to the previous and next device of the project. They keep the current tab. */
function DeviceNeighbours({ device }: { device: Device }) {
  const area = useCustomer()
  const [query] = useSearchParams()
  const { data } = useProjectDevices(area.customerId, device.projectId)
  const index = data?.items.findIndex(({ deviceUuid }) => deviceUuid === device.deviceUuid) ?? -1
  if (!data || index < 0 || data.items.length < 2) return null
  const addressOf = ({ deviceUuid }: Device) =>
    query.get('tab') === 'alarms'
      ? paths.deviceAlarms(area.customerPath, deviceUuid)
      : paths.device(area.customerPath, deviceUuid)
  const steps = [
    { name: 'Previous device', Icon: ChevronLeft, to: data.items[index - 1] },
    { name: 'Next device', Icon: ChevronRight, to: data.items[index + 1] }
  ]
  return (
    <nav className="row-actions" aria-label={`Devices of ${device.projectName}`}>
      {steps.map(({ name, Icon, to }) =>
        to ? (
          <PrefetchLink
            key={name}
            to={addressOf(to)}
            className="button quiet icon"
            aria-label={`${name}: ${to.deviceName}`}
            title={to.deviceName}
          >
            <Icon />
          </PrefetchLink>
        ) : (
          <span key={name} className="button quiet icon" aria-hidden="true" aria-disabled="true">
            <Icon />
          </span>
        )
      )}
    </nav>
  )
}
