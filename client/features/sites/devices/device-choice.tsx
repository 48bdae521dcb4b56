import { useState } from 'react'
import type { Device } from '#shared/answers/customers.ts'
import { deviceOption } from '../../../lib/format.ts'
import type { Option } from '../../../ui/input/combobox.tsx'
import { RemoteChoice } from '../../../ui/input/remote-choice.tsx'
import { useDeviceSearch } from './api.ts'

interface DeviceChoiceProps {
  customerId: string
  placeholder?: string
  chosen: Option | null
  /** Null after the choice is cleared. */
  onChoose: (device: Device | null) => void
}

export function DeviceChoice(props: DeviceChoiceProps) {
  const { customerId, placeholder = 'All devices', chosen, onChoose } = props
  const [keyword, setKeyword] = useState('')
  const { data: devices = [], isFetching } = useDeviceSearch(customerId, keyword)
  return (
    <RemoteChoice
      label="Device"
      placeholder={placeholder}
      options={devices.map(deviceOption)}
      busy={isFetching}
      chosen={chosen}
      onSearch={setKeyword}
      onChoose={(option) => onChoose(devices.find(({ deviceUuid }) => deviceUuid === option?.id) ?? null)}
    />
  )
}
