import { useState } from 'react'
import type { Device } from '#shared/entities.ts'
import type { Option } from '../../ui/input/combobox.tsx'
import { RemoteChoice } from '../../ui/input/remote-choice.tsx'
import { useCustomer } from '../customers/customer.ts'
import { useDeviceSearch } from './api.ts'

interface DeviceChoiceProps {
  chosen: Option | null
  /** Null for all devices. */
  onChoose: (device: Device | null) => void
}

export function DeviceChoice({ chosen, onChoose }: DeviceChoiceProps) {
  const { customerId } = useCustomer()
  const [keyword, setKeyword] = useState('')
  const { data: found = [], busy } = useDeviceSearch(customerId, keyword)
  return (
    <RemoteChoice
      label="Device"
      placeholder="All devices"
      options={found.map(({ deviceUuid, deviceName }) => ({ id: deviceUuid, name: deviceName }))}
      busy={busy}
      chosen={chosen}
      onSearch={setKeyword}
      onChoose={(option) => onChoose(found.find(({ deviceUuid }) => deviceUuid === option?.id) ?? null)}
    />
  )
}
