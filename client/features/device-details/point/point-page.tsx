import '../style.css'
import '../../data/points/style.css'
import { useEffect } from 'react'
import { isNotFound } from '../../../lib/http/api-error.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.ts'
import { CopyButton } from '../../../ui/input/copy-button.tsx'
import { PrefetchLink } from '../../../ui/prefetch-link.tsx'
import { ErrorPanel } from '../../../ui/state/error-panel.tsx'
import { NotFound } from '../../../ui/state/panel.tsx'
import { TitleBlock } from '../../../ui/title-block.tsx'
import { usePoint } from '../../data/points/api.ts'
import { SlotPath } from '../../data/points/point-value.tsx'
import { useCustomer } from '../../sites/customers/customer.tsx'
import { areSubscriptionsUnread, offeringProblem } from '../../sites/devices/service-links/device-services.ts'
import { ServicesUnknown } from '../../sites/devices/service-links/service-links.tsx'
import { DeviceSkeleton, NoService } from '../device-states.tsx'
import { useShownDevice, useShownPoint } from '../use-shown.ts'
import { PointCards } from './point-cards.tsx'

export default function PointPage() {
  const area = useCustomer()
  const device = useShownDevice(area.customerId)
  const { nowMs } = useSession()
  const problem = device.data ? offeringProblem(device.data, 'NDS', nowMs()) : null
  const [cloudId, rememberPoint] = useShownPoint(area.customerId, device.deviceUuid)
  const mayLoad = area.can('data:query-model') && problem === null
  const point = usePoint(area.customerId, mayLoad ? (device.data?.systemGuid ?? null) : null, cloudId)
  const failure = device.error ?? area.error ?? point.error
  const isFound = point.data !== undefined && point.data !== null
  useEffect(() => {
    if (isFound) rememberPoint()
  }, [isFound, rememberPoint])

  if (isNotFound(device.error) || !device.deviceUuid) return <NotFound home={area.customerPath} />
  const title = point.data?.displayName ?? (failure === undefined && !problem ? null : 'Point Details')
  const devicePath = paths.device(area.customerPath, device.deviceUuid)
  if (device.data && !problem && (point.data === null || cloudId === ''))
    return <NotFound home={devicePath} />
  return (
    <>
      <TitleBlock
        title={title}
        crumbs={[...area.trail, { label: 'Device Details', to: devicePath }, { label: title }]}
        actions={
          point.data &&
          area.can('data:query') && (
            <PrefetchLink to={paths.sitePoints(area.customerPath, point.data.displayName)} className="button">
              Over all devices
            </PrefetchLink>
          )
        }
        facts={
          device.data && (
            <>
              <PrefetchLink to={devicePath}>{device.data.deviceName}</PrefetchLink>
              {point.data?.slotPath && (
                <>
                  {' · '}
                  <span className="mono">
                    <SlotPath path={point.data.slotPath} />
                  </span>
                  <CopyButton text={point.data.slotPath} label="Copy path" />
                </>
              )}
            </>
          )
        }
      />
      {failure !== undefined && !point.data && (
        <ErrorPanel
          error={failure}
          isFetching={device.isFetching || point.isFetching}
          refetch={() => {
            area.refetch()
            device.refetch()
            point.refetch()
          }}
        />
      )}
      {device.data && areSubscriptionsUnread(device.data) && <ServicesUnknown onRetry={device.refetch} />}
      {problem && <NoService reason={problem} />}
      {!point.data && !problem && failure === undefined && <DeviceSkeleton />}
      {device.data && !problem && point.data && (
        <PointCards key={point.data.cloudId} device={device.data} point={point.data} />
      )}
    </>
  )
}
