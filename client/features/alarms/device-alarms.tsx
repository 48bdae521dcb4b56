import { useParams } from 'react-router-dom'
import type { Device } from '#shared/entities.ts'
import { paths } from '../../lib/paths.ts'
import { useProjects } from '../customers/api.ts'
import { AlarmList } from './list/alarm-list.tsx'

/** The Alarms tab of a device; also for those whom the alarms page is not for. */
export default function DeviceAlarms({ customerId, device }: { customerId: string; device: Device }) {
  const { organizationId } = useParams()
  const customer = useProjects(customerId)
  return (
    <AlarmList
      customerId={customerId}
      customerPath={paths.customer(customerId, organizationId)}
      scope={customer.data?.customer.scope ?? null}
      device={device}
    />
  )
}
