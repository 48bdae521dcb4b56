// Live values of a device's points, and commands to it. Nothing is asked while the page is hidden.
import { useCallback, useEffect, useRef, useState } from 'react'
import { REQUEST_PRIORITY } from '#shared/limits.ts'
import { isAbort } from '../../lib/http/api-error.ts'
import { request } from '../../lib/http/request.ts'
import type { Written } from '../points/point.ts'
import { parseFlags } from '../points/point-value-format.ts'

const LIVE_VALUES_MS = 10_000

export interface LiveValue {
  cloudId: string
  value: unknown
  flags: readonly string[]
  /** When the device said so. */
  timestamp: string | null
  /** Why it could not be read. */
  error: string | null
}

interface Reading {
  cloudId: string
  value?: unknown
  status?: string
  timestamp?: string
  error?: string
}

export interface DevicePlace {
  customerId: string
  deviceId: string
}

async function command<T>(
  { customerId, deviceId }: DevicePlace,
  name: 'read' | 'write' | 'clear',
  body: object,
  signal?: AbortSignal
): Promise<T> {
  return request<T>(`/api/v1/control/devices/${encodeURIComponent(deviceId)}/commands/${name}`, {
    method: 'POST',
    body: { ...body, requestProcessingPriority: REQUEST_PRIORITY },
    customerId,
    ...(signal ? { signal } : {})
  })
}

export async function readValues(
  place: DevicePlace,
  cloudIds: readonly string[],
  signal?: AbortSignal
): Promise<LiveValue[]> {
  const readings = await command<Reading[]>(place, 'read', { cloudIds }, signal)
  return readings.map(({ cloudId, value = null, status = '', timestamp = null, error = null }) => ({
    cloudId,
    value,
    flags: parseFlags(status),
    timestamp,
    error
  }))
}

/** A command that the device refused, in its words. */
export class CommandRefused extends Error {
  override name = 'CommandRefused'
}

interface Outcome {
  cloudId: string
  status?: string
  error?: string
}

async function change(
  place: DevicePlace,
  name: 'write' | 'clear',
  point: { cloudId: string; value?: Written },
  signal?: AbortSignal
): Promise<void> {
  const answer = await command<Outcome[] | { commandId: string }>(place, name, { points: [point] }, signal)
  // A command that is only accepted (202) says nothing yet: reading back will tell.
  const outcome = Array.isArray(answer) ? answer.find(({ cloudId }) => cloudId === point.cloudId) : undefined
  if (outcome?.status === 'FAILED') throw new CommandRefused(outcome.error ?? 'no reason was given')
}

export function writeValue(
  place: DevicePlace,
  cloudId: string,
  value: Written,
  signal?: AbortSignal
): Promise<void> {
  return change(place, 'write', { cloudId, value }, signal)
}

export function clearValue(place: DevicePlace, cloudId: string, signal?: AbortSignal): Promise<void> {
  return change(place, 'clear', { cloudId }, signal)
}

export interface LiveValues {
  values: ReadonlyMap<string, LiveValue>
  /** Of the last reading; the values before it stay. */
  error: unknown
  /** When the values came, by the page's clock; null while there are none. */
  readAtMs: number | null
  /** Reads at once. */
  refresh: () => void
}

/** Reads the named points again and again; null reads nothing. */
export function useLiveValues(place: DevicePlace | null, cloudIds: readonly string[]): LiveValues {
  const [state, setState] = useState<Omit<LiveValues, 'refresh'>>({
    values: new Map(),
    error: undefined,
    readAtMs: null
  })
  const again = useRef(() => {})
  const ids = cloudIds.join()
  const { customerId = '', deviceId = '' } = place ?? {}
  const active = place !== null && ids !== ''

  useEffect(() => {
    if (!active) return
    let controller = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined

    async function read() {
      clearTimeout(timer)
      controller.abort()
      controller = new AbortController()
      const { signal } = controller
      if (document.hidden) return
      try {
        const read = await readValues({ customerId, deviceId }, ids.split(','), signal)
        if (signal.aborted) return
        const values = new Map(read.map((value) => [value.cloudId, value]))
        setState({ values, error: undefined, readAtMs: Date.now() })
      } catch (error) {
        if (signal.aborted || isAbort(error)) return
        setState((before) => ({ ...before, error }))
      }
      timer = setTimeout(read, LIVE_VALUES_MS)
    }

    again.current = () => void read()
    document.addEventListener('visibilitychange', read)
    void read()
    return () => {
      document.removeEventListener('visibilitychange', read)
      clearTimeout(timer)
      controller.abort()
    }
  }, [active, customerId, deviceId, ids])

  return { ...state, refresh: useCallback(() => again.current(), []) }
}
