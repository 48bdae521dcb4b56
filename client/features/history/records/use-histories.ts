import { useMemo } from 'react'
import { type LoadState, type Loads, useLoads } from '../../../lib/loads.ts'
import type { TimeRange } from '../../../lib/time/date-range.ts'
import { notChartable } from '../../points/point.ts'
import { fetchHistory, type LoadedHistory } from '../api.ts'
import type { ChartLine } from '../drawing/chart-lines.ts'
import type { ChosenPoint } from '../points/use-chosen-points.ts'

/** Several requests, a few at a time. */
const AT_ONCE = 4

export interface Histories {
  loads: Loads<LoadedHistory>
  /** Of a point in the range; undefined where nothing is loaded for it. */
  of: (chosen: ChosenPoint) => LoadState<LoadedHistory> | undefined
  keyOf: (chosen: ChosenPoint) => string
  /** What is there to be drawn, hidden points and previous period included. */
  lines: readonly ChartLine[]
  total: number
  done: number
  open: number
}

interface Asked {
  customerId: string
  chosen: readonly ChosenPoint[]
  range: TimeRange | null
  previous: TimeRange | null
  nowMs: number
}

/** Loads what was recorded of the points. Another range is another load: what was there is gone at once. */
export function useHistories({ customerId, chosen, range, previous, nowMs }: Asked): Histories {
  const keyIn = (time: TimeRange | null) => (point: ChosenPoint) =>
    `${point.key} ${time?.fromMs} ${time?.toMs}`
  const keyOf = keyIn(range)
  const ready = chosen.filter(({ point }) => point !== null && notChartable(point) === null)
  const wanted = [range, previous].flatMap((time) =>
    time
      ? ready.map((one) => ({
          key: keyIn(time)(one),
          load: (signal: AbortSignal) => {
            if (!one.point || !one.device) throw new Error('nothing to load')
            const { systemGuid } = one.device
            return fetchHistory({ customerId, systemGuid, point: one.point, range: time, nowMs }, signal)
          }
        }))
      : []
  )
  const { loads, states } = useLoads(wanted, AT_ONCE)
  const found = `${ready.map(({ key, color }) => `${key} ${color}`)} ${range?.fromMs} ${range?.toMs} ${previous?.fromMs}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: `found` is what of the points and ranges matters here
  const lines = useMemo(
    () =>
      ready.flatMap((one): ChartLine[] => {
        if (!one.point || !range) return []
        const shared = {
          name: one.point.displayName,
          device: one.device?.deviceName ?? '',
          point: one.point,
          color: one.color
        }
        const own = states.get(keyOf(one))
        const before = previous ? states.get(keyIn(previous)(one)) : undefined
        return [
          ...(own?.state === 'ready'
            ? [
                {
                  ...shared,
                  id: keyOf(one),
                  samples: own.value,
                  heldUntilMs: own.value.heldUntilMs,
                  shiftMs: null
                }
              ]
            : []),
          ...(previous && before?.state === 'ready'
            ? [
                {
                  ...shared,
                  ...laterBy(before.value, range.fromMs - previous.fromMs),
                  id: `before ${keyIn(previous)(one)}`
                }
              ]
            : [])
        ]
      }),
    [states, found]
  )
  const all = wanted.map(({ key }) => states.get(key)?.state)
  return {
    loads,
    of: (one) => states.get(keyOf(one)),
    keyOf,
    lines,
    total: wanted.length,
    done: all.filter((state) => state === 'ready').length,
    open: all.filter((state) => state === 'loading' || state === 'waiting').length
  }
}

function laterBy(
  { times, values, heldUntilMs }: LoadedHistory,
  shiftMs: number
): Pick<ChartLine, 'samples' | 'heldUntilMs' | 'shiftMs'> {
  return {
    samples: { times: times.map((time) => time + shiftMs), values },
    heldUntilMs: heldUntilMs === null ? null : heldUntilMs + shiftMs,
    shiftMs
  }
}
