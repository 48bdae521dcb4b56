import { useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { recall, remember } from '../../lib/storage.ts'
import { useDevice } from '../devices/api.ts'
import { useSession } from '../session/session.ts'

/** A parameter of the address; if the address lacks it, the remembered value is added. */
function useRemembered(name: string, stored: string): [value: string, keep: () => void] {
  const [query, setQuery] = useSearchParams()
  const named = query.get(name) ?? ''
  const value = named || (recall<string>(stored) ?? '')
  useEffect(() => {
    if (named || !value) return
    setQuery(
      (current) => {
        const next = new URLSearchParams(current)
        next.set(name, value)
        return next
      },
      { replace: true }
    )
  }, [name, named, value, setQuery])
  return [value, useCallback(() => remember(stored, value), [stored, value])]
}

/** `deviceUuid` is empty when neither the address nor the last visit names a device. */
export function useShownDevice(customerId: string) {
  const { user } = useSession()
  const [deviceUuid, keep] = useRemembered('deviceUuid', `portal.device.${user.id}.${customerId}`)
  const load = useDevice(customerId, deviceUuid)
  const found = load.data !== undefined
  useEffect(() => {
    if (found) keep()
  }, [found, keep])
  return { ...load, deviceUuid }
}

/** The caller calls `keep` when it has found the point. */
export function useShownPoint(customerId: string, deviceUuid: string): [cloudId: string, keep: () => void] {
  const { user } = useSession()
  return useRemembered('cloudId', `portal.point.${user.id}.${customerId}.${deviceUuid}`)
}
