// Points of a customer by name, tag or path, and what they read right now.
import { useEffect, useState } from 'react'
import type { FoundDevice } from '#shared/entities.ts'
import { type LiveValue, readValues } from '../../features/device-details/api.ts'
import { type PointModel, pointOf } from '../../features/points/point.ts'
import { type Load, useLoad } from '../../lib/http/query.ts'
import type { FoundPoint } from './jump-targets.ts'

interface PointsAnswer {
  items: { point: PointModel; device: FoundDevice['device'] }[]
  partial: string[]
}

/** Null searches nothing; while another text is searched, what was found before stays. */
export function useFoundPoints(
  customerId: string | null,
  keyword: string,
  size: number
): Load<{ points: FoundPoint[]; isPartial: boolean }> {
  const query = new URLSearchParams({ q: keyword, size: String(size) })
  const path = customerId && `/api/portal/v1/customers/${encodeURIComponent(customerId)}/points?${query}`
  const { data, ...load } = useLoad<PointsAnswer>(path, { keepPreviousData: true })
  const points = data?.items.map(({ point, device }) => ({ point: pointOf(point), device })) ?? []
  return { ...load, data: data && { points, isPartial: data.partial.length > 0 } }
}

const READ_EVERY_MS = 10_000

/** Their readings by device and point, read again and again; a device that cannot be read has none. Null reads nothing. */
export function useReadings(
  customerId: string | null,
  points: readonly FoundPoint[]
): ReadonlyMap<string, LiveValue> {
  const [readings, setReadings] = useState<ReadonlyMap<string, LiveValue>>(new Map())
  const named = JSON.stringify(points.map(({ device, point }) => [device.id, point.cloudId]))

  useEffect(() => {
    if (customerId === null) return
    const gone = new AbortController()
    const byDevice = new Map<string, string[]>()
    for (const [deviceId, cloudId] of JSON.parse(named) as [string, string][])
      byDevice.set(deviceId, [...(byDevice.get(deviceId) ?? []), cloudId])
    async function readDevice(deviceId: string, cloudIds: string[]) {
      const values = await readValues({ customerId: customerId ?? '', deviceId }, cloudIds, gone.signal)
      setReadings((before) => {
        const read = values.map((value) => [`${deviceId} ${value.cloudId}`, value] as const)
        return new Map([...before, ...read])
      })
    }
    const readAll = () => {
      if (document.hidden) return
      for (const [deviceId, cloudIds] of byDevice) readDevice(deviceId, cloudIds).catch(() => {})
    }
    readAll()
    const timer = setInterval(readAll, READ_EVERY_MS)
    return () => {
      clearInterval(timer)
      gone.abort()
    }
  }, [customerId, named])

  return readings
}

export function readingName({ device, point }: FoundPoint): string {
  return `${device.id} ${point.cloudId}`
}
