// The alarms of one device belong to the alarms area; the device's page shows them through here.
import Bell from 'lucide-react/icons/bell'
import type { Device } from '#shared/entities.ts'
import { Panel } from './components/panel.tsx'

export interface DeviceAlarmsProps {
  customerId: string
  organizationId?: string
  device: Device
}

export function DeviceAlarms({ device }: DeviceAlarmsProps) {
  return (
    <Panel icon={Bell} title="Alarms are not available yet" headingLevel={2}>
      <p>The alarms of {device.deviceName} will show here.</p>
    </Panel>
  )
}
