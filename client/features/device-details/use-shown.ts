import { useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useSession } from '../../lib/session/session.ts'
import { recall, remember } from '../../lib/storage.ts'
import { useDevice } from '../sites/devices/api.ts'

/** A parameter of the address. If the address lacks the parameter, the remembered value is added. */
function useRemembered(name: string, storageKey: string): [value: string, keep: () => void] {
  const [query, setQuery] = useSearchParams()
  const addressValue = query.get(name) ?? ''
  const value = addressValue || (recall<string>(storageKey) ?? '')
  useEffect(() => {
    if (addressValue || !value) return
    setQuery(
      (current) => {
        const next = new URLSearchParams(current)
        next.set(name, value)
        return next
      },
      { replace: true }
    )
  }, [name, addressValue, value, setQuery])
  return [value, useCallback(() => remember(storageKey, value), [storageKey, value])]
}

/** `deviceUuid` is empty when neither the address nor the last visit names a device. */
export function useShownDevice(customerId: string) {
  const { user } = useSession()
  const [deviceUuid, keep] = useRemembered('deviceUuid', `portal.device.${user.id}.${customerId}`)
  const load = useDevice(customerId, deviceUuid)
  const isFound = load.data !== undefined
  useEffect(() => {
    if (isFound) keep()
  }, [isFound, keep])
  return { ...load, deviceUuid }
}

/** `keep` remembers the point: call it once the point is loaded. */
export function useShownPoint(customerId: string, deviceUuid: string): [cloudId: string, keep: () => void] {
  const { user } = useSession()
  return useRemembered('cloudId', `portal.point.${user.id}.${customerId}.${deviceUuid}`)
}
