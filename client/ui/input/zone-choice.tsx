import { useEffect, useState } from 'react'
import { browserZone } from '../../lib/time/time.ts'
import { Combobox, type Option } from './combobox.tsx'

const zoneName = (zone: string) => (zone === browserZone() ? `${zone} (this browser)` : zone)

export function ZoneChoice({ zone, onZone }: { zone: string; onZone: (zone: string) => void }) {
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
      chosen={{ id: zone, name: zoneName(zone) }}
      emptyText="No zone has this name."
      onChoose={({ id }) => onZone(id)}
    />
  )
}
