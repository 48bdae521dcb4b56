import { useEffect, useState } from 'react'
import { offsetText } from '#shared/time/zones.ts'
import { browserZone } from '../../lib/time/time.ts'
import { Combobox, type Option } from './combobox.tsx'

const zoneName = (zone: string) => (zone === browserZone() ? `${zone} (this browser)` : zone)

interface ZoneChoiceProps {
  zone: string
  onZone: (zone: string) => void
  /** Shows only the offset of the chosen zone at this time, such as "UTC+1". */
  shortAtMs?: number
}

export function ZoneChoice({ zone, onZone, shortAtMs }: ZoneChoiceProps) {
  const [zones, setZones] = useState<readonly Option[]>([])
  useEffect(() => {
    const zoneIds = [browserZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')]
    setZones([...new Set(zoneIds)].map((id) => ({ id, name: zoneName(id) })))
  }, [])
  return (
    <Combobox
      label="Time zone"
      placeholder="Choose a zone"
      options={zones}
      chosen={{ id: zone, name: shortAtMs === undefined ? zoneName(zone) : offsetText(shortAtMs, zone) }}
      title={zoneName(zone)}
      emptyText="No zone has this name."
      onChoose={({ id }) => onZone(id)}
    />
  )
}
