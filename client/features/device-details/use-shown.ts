import { useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Device } from '#shared/entities.ts'
import type { Load } from '../../lib/http/query.ts'
import { recall, remember } from '../../lib/storage.ts'
import { useDevice } from '../devices/api.ts'
import { useSession } from '../session/session.ts'

interface ShownDevice extends Load<Device> {
  /** Empty when neither the address nor the last visit names a device. */
  deviceUuid: string
}

/** The device that the address names; without a word there, the one of the last visit, which the address then says. */
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

/**
 * The point that the address names; without a word there, the one of the device that was looked at last, which the
 * address then says. With it comes what keeps it for the next time.
 */
export function useShownPoint(customerId: string, deviceUuid: string): [cloudId: string, keep: () => void] {
  const { user } = useSession()
  const [query, setQuery] = useSearchParams()
  const stored = `portal.point.${user.id}.${customerId}.${deviceUuid}`
  const named = query.get('cloudId') ?? ''
  const cloudId = named || (recall<string>(stored) ?? '')
  const keep = useCallback(() => remember(stored, cloudId), [stored, cloudId])
  useEffect(() => {
    if (named || !cloudId) return
    setQuery(
      (current) => {
        const next = new URLSearchParams(current)
        next.set('cloudId', cloudId)
        return next
      },
      { replace: true }
    )
  }, [named, cloudId, setQuery])
  return [cloudId, keep]
}
