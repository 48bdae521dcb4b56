import type { Device } from '#shared/entities.ts'
import { useCustomer } from '../customers/customer.ts'
import { AlarmList } from './list/alarm-list.tsx'

/** The Alarms tab of a device; also for those whom the alarms page is not for. */
export default function DeviceAlarms({ customerId, device }: { customerId: string; device: Device }) {
  const { customerPath, list } = useCustomer()
  return (
    <AlarmList
      customerId={customerId}
      customerPath={customerPath}
      scope={list?.customer.scope ?? null}
      device={device}
    />
  )
}
