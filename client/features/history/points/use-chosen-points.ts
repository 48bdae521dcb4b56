import { useRef } from 'react'
import type { Device } from '#shared/entities.ts'
import { isNotFound } from '../../../lib/http/api-error.ts'
import { useLoads } from '../../../lib/loads.ts'
import { fetchDevice } from '../../devices/api.ts'
import { fetchPointsById } from '../../points/api.ts'
import { colored, keyOfPoint, type PointRef } from '../../points/history-address.ts'
import type { Point } from '../../points/point.ts'

const AT_ONCE = 4

export interface ChosenPoint {
  ref: PointRef
  key: string
  /** Its place in the list, from 0. */
  place: number
  /** From 0: its colour and number, whatever its place. */
  color: number
  state: 'loading' | 'ready' | 'failed' | 'missing'
  device: Device | null
  point: Point | null
  error: unknown
}

interface Found {
  device: Device | null
  point: Point | null
}

/** The devices and points behind the identifiers of an address. One that is gone is missing, which is no failure. */
export function useChosenPoints(customerId: string, refs: readonly PointRef[], allowed: boolean) {
  const devices = useRef(new Map<string, Promise<Device>>())

  function deviceOf(deviceUuid: string): Promise<Device> {
    const known = devices.current.get(deviceUuid)
    if (known) return known
    const asked = fetchDevice(customerId, deviceUuid)
    devices.current.set(deviceUuid, asked)
    asked.catch(() => devices.current.delete(deviceUuid))
    return asked
  }

  async function find({ deviceUuid, cloudId }: PointRef, signal: AbortSignal): Promise<Found> {
    try {
      const device = await deviceOf(deviceUuid)
      const [point] = await fetchPointsById(customerId, device.systemGuid, [cloudId], signal)
      return { device, point: point ?? null }
    } catch (error) {
      if (isNotFound(error)) return { device: null, point: null }
      throw error
    }
  }

  const { loads, states } = useLoads(
    allowed ? refs.map((ref) => ({ key: keyOfPoint(ref), load: (signal) => find(ref, signal) })) : [],
    AT_ONCE
  )
  const chosen = colored(refs).map(({ color, ...ref }, place): ChosenPoint => {
    const key = keyOfPoint(ref)
    const load = states.get(key)
    const found = load?.state === 'ready' ? load.value : null
    const state = found
      ? found.point
        ? 'ready'
        : 'missing'
      : load?.state === 'failed'
        ? 'failed'
        : 'loading'
    return {
      ref,
      key,
      place,
      color,
      state,
      device: found?.device ?? null,
      point: found?.point ?? null,
      error: load?.state === 'failed' ? load.error : undefined
    }
  })
  return { chosen, retry: loads.retry }
}
