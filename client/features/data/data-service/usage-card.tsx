import ChevronDown from 'lucide-react/icons/chevron-down'
import { useId, useState } from 'react'
import type { Device } from '#shared/answers/customers.ts'
import type { Usage } from '#shared/answers/portal.ts'
import { formatNumber } from '../../../lib/format.ts'
import { failureOf } from '../../../lib/http/api-error.ts'
import { useLayout } from '../../../lib/layout.ts'
import { SUBSCRIPTIONS_UNREAD } from '../../../lib/messages.ts'
import { useSession } from '../../../lib/session/session.ts'
import { useStored } from '../../../lib/use-stored.ts'
import { IconButton } from '../../../ui/input/icon-button.tsx'
import { LoadFailed } from '../../../ui/state/load-failed.tsx'
import { Skeleton } from '../../../ui/state/loading.tsx'
import type { Customer } from '../../sites/customers/customer.tsx'
import { useDevice } from '../../sites/devices/api.ts'
import { areSubscriptionsUnread, offeringProblem } from '../../sites/devices/service-links/device-services.ts'
import { useUsage } from '../../sites/usage/api.ts'
import { UsageBar, UsageHistory, UsageWarning } from '../../sites/usage/usage.tsx'

interface UsageCardProps {
  area: Customer
  /** The uuids of the devices that are searched. */
  devices: readonly string[]
}

/** The data usage of the searched devices. Loads nothing while the card is closed. */
export function UsageCard({ area, devices }: UsageCardProps) {
  const layout = useLayout()
  const [open, setOpen] = useStored('portal.usage-card', layout === 'desktop')
  const id = useId()
  return (
    <section className="card usage-card" aria-labelledby={`${id}-heading`}>
      <div className="row card-head">
        <h2 id={`${id}-heading`}>Data usage</h2>
        <IconButton
          name={open ? 'Hide data usage' : 'Show data usage'}
          Icon={ChevronDown}
          className="quiet push"
          aria-expanded={open}
          aria-controls={id}
          onPress={() => setOpen(!open)}
        />
      </div>
      <div id={id} hidden={!open} className="usage-devices" tabIndex={devices.length > 1 ? 0 : undefined}>
        {open && devices.length === 0 && (
          <p className="muted usage-device">Choose a device to see its data usage.</p>
        )}
        {open && devices.map((uuid) => <DeviceUsage key={uuid} area={area} deviceUuid={uuid} />)}
      </div>
    </section>
  )
}

function DeviceUsage({ area, deviceUuid }: { area: Customer; deviceUuid: string }) {
  const { nowMs } = useSession()
  const { data: device, refetch } = useDevice(area.customerId, deviceUuid)
  if (!device) return null
  const problem = offeringProblem(device, 'NDS', nowMs())
  return (
    <section className="stack tight usage-device" aria-label={`Data usage of ${device.deviceName}`}>
      <h3>{device.deviceName}</h3>
      {areSubscriptionsUnread(device) ? (
        <LoadFailed onRetry={refetch}>{SUBSCRIPTIONS_UNREAD}.</LoadFailed>
      ) : problem ? (
        <p className="muted">{problem}.</p>
      ) : (
        <PlanUsage area={area} device={device} />
      )}
    </section>
  )
}

function PlanUsage({ area, device }: { area: Customer; device: Device }) {
  const { data, error, refetch } = useUsage(area.customerId, device.deviceUuid)
  if (data) return <UsageDetails usage={data} deviceName={device.deviceName} />
  if (error === undefined) return <Skeleton width="100%" label="Loading usage" />
  const { title, text } = failureOf(error)
  return (
    <LoadFailed onRetry={refetch}>
      {title}. {text}
    </LoadFailed>
  )
}

function UsageDetails({ usage, deviceName }: { usage: Usage; deviceName: string }) {
  const { planLimit, used, banner, graph, points, period } = usage
  const [graphOn, setGraphOn] = useState(false)
  return (
    <>
      <UsageWarning usage={usage} />
      <UsageBar usage={usage} of={deviceName} />
      {planLimit === null && <p>{formatNumber(used)} GB used. The limit of the plan is not known.</p>}
      {banner && <p className="muted">{banner}</p>}
      {graph && (
        <button
          type="button"
          className="link-button"
          aria-expanded={graphOn}
          onClick={() => setGraphOn(!graphOn)}
        >
          {graphOn ? 'Hide' : 'Show'} {period.toLowerCase()} usage{' '}
          <span className="sr-only">of {deviceName}</span>
        </button>
      )}
      {graph && graphOn && <UsageHistory points={points} period={period} />}
    </>
  )
}
