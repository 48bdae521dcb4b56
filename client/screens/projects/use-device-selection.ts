import { useState } from 'react'
import type { Device } from '#shared/entities.ts'

export interface DeviceSelection {
  keys: ReadonlySet<string>
  devices: readonly Device[]
  /** Keeps what it knows of devices that are no longer in sight. */
  change: (keys: ReadonlySet<string>, inSight: readonly Device[]) => void
  /** Lets go of these, or of all. */
  drop: (deviceUuids?: readonly string[]) => void
}

/** The devices that were ticked, on this page of the table or another. */
export function useDeviceSelection(): DeviceSelection {
  const [known, setKnown] = useState<ReadonlyMap<string, Device>>(new Map())
  return {
    keys: new Set(known.keys()),
    devices: [...known.values()],
    change: (keys, inSight) =>
      setKnown((before) => {
        const all = new Map([...before, ...inSight.map((device) => [device.deviceUuid, device] as const)])
        return new Map([...all].filter(([uuid]) => keys.has(uuid)))
      }),
    drop: (deviceUuids) =>
      setKnown((before) =>
        deviceUuids ? new Map([...before].filter(([uuid]) => !deviceUuids.includes(uuid))) : new Map()
      )
  }
}
