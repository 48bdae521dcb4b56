// The alarms of one device belong to the alarms area; the device's page shows them through here.
import { lazy, Suspense } from 'react'
import type { Device } from '#shared/entities.ts'
import { Skeleton } from './components/skeleton.tsx'

const Alarms = lazy(() => import('./screens/alarms/device-alarms.tsx'))

export interface DeviceAlarmsProps {
  customerId: string
  organizationId?: string
  device: Device
}

export function DeviceAlarms({ customerId, device }: DeviceAlarmsProps) {
  return (
    <Suspense fallback={<Skeleton width="60%" label="Loading alarms" />}>
      <Alarms customerId={customerId} device={device} />
    </Suspense>
  )
}
