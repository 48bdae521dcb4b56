import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Device } from '#shared/entities.ts'
import { useDevice } from '../../api/devices.ts'
import type { Load } from '../../api/use-load.ts'
import { recall, remember } from '../../lib/store.ts'
import { useSession } from '../../session/session.ts'

export interface ShownDevice extends Load<Device> {
  /** Empty when neither the address nor the last visit names a device. */
  deviceUuid: string
}

/** The device that the address names; without a word there, the one of the last visit (§4), which the address then says. */
export function useShownDevice(customerId: string): ShownDevice {
  const { user } = useSession()
  const [query, setQuery] = useSearchParams()
  const stored = `portal.device.${user.id}.${customerId}`
  const named = query.get('deviceUuid') ?? ''
  const deviceUuid = named || (recall<string>(stored) ?? '')
  const load = useDevice(customerId, deviceUuid)
  const found = load.data !== undefined
  useEffect(() => {
    if (found) remember(stored, deviceUuid)
  }, [found, stored, deviceUuid])
  useEffect(() => {
    if (named || !deviceUuid) return
    setQuery(
      (current) => {
        const next = new URLSearchParams(current)
        next.set('deviceUuid', deviceUuid)
        return next
      },
      { replace: true }
    )
  }, [named, deviceUuid, setQuery])
  return { ...load, deviceUuid }
}
