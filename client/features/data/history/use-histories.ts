import { useMemo, useRef } from 'react'
import type { Device } from '#shared/answers/customers.ts'
import type { Samples } from '#shared/history/samples.ts'
import type { TimeRange } from '#shared/time/date-ranges.ts'
import { isNotFound } from '../../../lib/http/api-error.ts'
import { type LoadState, useLoads } from '../../../lib/loads.ts'
import { fetchDevice } from '../../sites/devices/api.ts'
import { fetchPoint } from '../points/api.ts'
import { colored, keyOfPoint, type PointRef } from '../points/history-address.ts'
import { notChartable, type Point } from '../points/point.ts'
import { fetchHistory } from './api.ts'
import type { ChartLine } from './chart/chart-lines.ts'
import { useLiveTail } from './live-tail.ts'

const LOADS_AT_ONCE = 4
/** How long loaded records may wait for others. The charts are drawn once for all of them. */
const SHOW_MS = 100

export type Histories = ReturnType<typeof useHistories>

interface HistoriesQuery {
  customerId: string
  chosen: readonly ChosenPoint[]
  range: TimeRange | null
  previous: TimeRange | null
  /** When the range was chosen or refreshed. */
  asOf: number
  /** Whether to follow the lines: new records are added to them. */
  isLive: boolean
  nowMs: () => number
}

/** Loads the records of the points, and follows them. A new range drops the loaded records. */
export function useHistories(query: HistoriesQuery) {
  const { customerId, chosen, range, previous, asOf, isLive, nowMs } = query
  // A refresh loads again, also a range that has ended: records may have come late.
  const keyIn = (time: TimeRange | null) => (point: Pick<ChosenPoint, 'key'>) =>
    `${point.key} ${time?.fromMs} ${time?.toMs} ${asOf}`
  const keyOf = keyIn(range)
  const chartablePoints = chosen.flatMap(({ key, color, device, point }) =>
    device && point && notChartable(point) === null ? [{ key, color, device, point }] : []
  )
  const tasks = [range, previous].flatMap((time) =>
    (time ? chartablePoints : []).map((chartablePoint) => ({
      key: keyIn(time)(chartablePoint),
      load: (signal: AbortSignal) =>
        fetchHistory(
          { customerId, point: chartablePoint.point, range: time as TimeRange, nowMs: asOf },
          signal
        )
    }))
  )
  const { loads, states } = useLoads(tasks, LOADS_AT_ONCE, SHOW_MS)
  const followedLines = chartablePoints.flatMap((chartablePoint) => {
    const load = states.get(keyOf(chartablePoint))
    if (load?.state !== 'ready' || load.value.truncated || !range) return []
    return [{ id: keyOf(chartablePoint), point: chartablePoint.point, samples: load.value }]
  })
  const isFollowing = isLive && followedLines.length > 0
  const live = useLiveTail({ customerId, lines: followedLines, loadedMs: asOf, enabled: isFollowing, nowMs })
  const linesKey = `${chartablePoints.map(({ key, color }) => `${key} ${color}`)} ${range?.fromMs} ${range?.toMs} ${previous?.fromMs}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: `linesKey` covers the points and ranges
  const lines = useMemo(
    () =>
      chartablePoints.flatMap((chartablePoint): ChartLine[] => {
        const { point, device, key, color } = chartablePoint
        if (!range) return []
        const shared = { key, name: point.displayName, device: device.deviceName, point, color }
        const ownLoad = states.get(keyOf(chartablePoint))
        const previousLoad = previous ? states.get(keyIn(previous)(chartablePoint)) : undefined
        const lines: ChartLine[] = []
        if (ownLoad?.state === 'ready')
          lines.push({
            ...shared,
            id: keyOf(chartablePoint),
            samples: live.samples.get(keyOf(chartablePoint)) ?? ownLoad.value,
            shiftMs: null
          })
        if (previous && previousLoad?.state === 'ready') {
          const shiftMs = range.fromMs - previous.fromMs
          const samples = shiftSamples(previousLoad.value, shiftMs)
          lines.push({ ...shared, id: `before ${keyIn(previous)(chartablePoint)}`, samples, shiftMs })
        }
        return lines
      }),
    [states, live, linesKey]
  )
  const loadStates = tasks.map(({ key }) => states.get(key)?.state)
  return {
    loads,
    live,
    /** The load of a point's records; undefined for a point that cannot be charted. */
    of: (chosenPoint: ChosenPoint) => states.get(keyOf(chosenPoint)),
    /** The load of a point's records in the previous period; undefined without a comparison. */
    previousOf: (chosenPoint: ChosenPoint) =>
      previous ? states.get(keyIn(previous)(chosenPoint)) : undefined,
    keyOf,
    /** All loaded lines, including hidden points and the previous period. */
    lines,
    total: tasks.length,
    done: loadStates.filter((state) => state === 'ready').length,
    /** Loads that go on, or have yet to begin: in the first rendering no load has a state. */
    open: loadStates.filter((state) => state === undefined || state === 'loading' || state === 'waiting')
      .length
  }
}

function shiftSamples({ times, values, validUntilMs }: Samples, shiftMs: number): Samples {
  return {
    times: times.map((time) => time + shiftMs),
    values,
    validUntilMs: validUntilMs === null ? null : validUntilMs + shiftMs
  }
}

interface DeviceAndPoint {
  device: Device | null
  point: Point | null
}

export interface ChosenPoint extends Required<PointRef>, DeviceAndPoint {
  key: string
  found: LoadState<DeviceAndPoint> | undefined
}

const NOT_FOUND: DeviceAndPoint = { device: null, point: null }

/** Loads the devices and points in the address. A deleted device or point is null, not an error. */
export function useChosenPoints(customerId: string, refs: readonly PointRef[], allowed: boolean) {
  const devices = useRef(new Map<string, Promise<Device>>())

  function deviceOf(deviceUuid: string): Promise<Device> {
    const device = devices.current.get(deviceUuid) ?? fetchDevice(customerId, deviceUuid)
    devices.current.set(deviceUuid, device)
    device.catch(() => devices.current.delete(deviceUuid))
    return device
  }

  async function find({ deviceUuid, cloudId }: PointRef, signal: AbortSignal): Promise<DeviceAndPoint> {
    try {
      const device = await deviceOf(deviceUuid)
      return { device, point: await fetchPoint(customerId, device.systemGuid, cloudId, signal) }
    } catch (error) {
      if (isNotFound(error)) return NOT_FOUND
      throw error
    }
  }

  const { loads, states } = useLoads(
    allowed ? refs.map((ref) => ({ key: keyOfPoint(ref), load: (signal) => find(ref, signal) })) : [],
    LOADS_AT_ONCE
  )
  const chosen = colored(refs).map((ref): ChosenPoint => {
    const key = keyOfPoint(ref)
    const found = states.get(key)
    return { ...ref, key, found, ...(found?.state === 'ready' ? found.value : NOT_FOUND) }
  })
  return { chosen, retry: loads.retry }
}
