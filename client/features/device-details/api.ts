// Live values of a device's points, and commands to the points.
import type { AcceptedCommand, PointOutcome, PointValue } from '#shared/answers/points.ts'
import { calls } from '#shared/calls.ts'
import { parseFlags } from '#shared/history/point-value.ts'
import { useQuery } from '../../lib/http/query.ts'
import { request } from '../../lib/http/request.ts'
import { mayRecover, pauseBeforeRetry, RETRY_RULES } from '../../lib/http/retry.ts'
import { LIVE_READ_MS, REQUEST_PRIORITY } from '../../lib/limits.ts'
import type { Point, Written } from '../data/points/point.ts'

export interface LiveValue {
  cloudId: string
  value: unknown
  flags: readonly string[]
  /** When the device read the value, by the device's clock. */
  timestamp: string | null
  /** Why the value could not be read; null if it was read. */
  error: string | null
}

export interface DeviceIds {
  customerId: string
  deviceId: string
}

function command<T>(
  { customerId, deviceId }: DeviceIds,
  name: 'read' | 'write' | 'clear',
  body: object,
  signal: AbortSignal
): Promise<T> {
  return request<T>(calls.command(deviceId, name), {
    method: 'POST',
    body: { ...body, requestProcessingPriority: REQUEST_PRIORITY },
    customerId,
    signal
  })
}

export async function readValues(
  deviceIds: DeviceIds,
  cloudIds: readonly string[],
  signal: AbortSignal
): Promise<LiveValue[]> {
  const results = await command<PointValue[]>(deviceIds, 'read', { cloudIds }, signal)
  return results.map(({ cloudId, value = null, status = '', timestamp = null, error = null }) => ({
    cloudId,
    value,
    flags: parseFlags(status),
    timestamp,
    error
  }))
}

/** The device refused a command. The message comes from the device. */
export class CommandRefused extends Error {
  override name = 'CommandRefused'
}

/** Writes a value to a point, or clears its override. */
export async function sendCommand(
  deviceIds: DeviceIds,
  name: 'write' | 'clear',
  point: { cloudId: string; value?: Written },
  signal: AbortSignal
): Promise<void> {
  const answer = await command<PointOutcome[] | AcceptedCommand>(deviceIds, name, { points: [point] }, signal)
  // A command that was only accepted (202) has no outcome yet. Reading the point again shows the outcome.
  const outcome = Array.isArray(answer) ? answer.find(({ cloudId }) => cloudId === point.cloudId) : undefined
  if (outcome?.status === 'FAILED') throw new CommandRefused(outcome.error ?? 'no reason was given')
}

export interface LiveValues {
  /** The last values, by cloud id. They stay if a later read fails. */
  values: ReadonlyMap<string, LiveValue>
  error: unknown
  /** When the values were last read, by the browser's clock; null before the first read. */
  readAtMs: number | null
  refresh: () => void
}

/**
 * Reads the points every ten seconds while the page is visible, also while reads fail. Reads nothing while
 * `deviceIds` is null.
 */
export function useLiveValues(deviceIds: DeviceIds | null, cloudIds: readonly string[]): LiveValues {
  const { data, error, refetch } = useQuery(
    deviceIds && cloudIds.length > 0 ? `live values ${JSON.stringify([deviceIds, cloudIds])}` : null,
    async (_name, signal) => {
      const liveValues = await readValues(deviceIds as DeviceIds, cloudIds, signal)
      return { values: new Map(liveValues.map((value) => [value.cloudId, value])), readAtMs: Date.now() }
    },
    {
      keepPreviousData: true,
      refreshInterval: LIVE_READ_MS,
      focusThrottleInterval: LIVE_READ_MS,
      onErrorRetry(error, _key, _config, revalidate, options) {
        if (!mayRecover(error)) return
        // A page that becomes visible reads at once.
        const readIfVisible = () => !document.hidden && void revalidate(options)
        setTimeout(readIfVisible, pauseBeforeRetry(RETRY_RULES.liveValues, 0, error))
      }
    }
  )
  return { values: data?.values ?? NO_VALUES, error, readAtMs: data?.readAtMs ?? null, refresh: refetch }
}

const NO_VALUES: ReadonlyMap<string, LiveValue> = new Map()

/** The flags of a point as far as they are known: null while its live value cannot be read. */
export function flagsOf(point: Point, liveValues: LiveValues | null): readonly string[] | null {
  if (liveValues === null) return point.out.flags
  const value = liveValues.values.get(point.cloudId)
  if (liveValues.error !== undefined || (value && value.error !== null)) return null
  return value?.flags ?? point.out.flags
}

/** Why the override of a point cannot be cleared; null if it can, also while its flags are unknown. */
export function clearProblem(point: Point, flags: readonly string[] | null): string | null {
  if (!point.writable) return 'This point is not writable'
  return flags === null || flags.includes('overridden') ? null : 'This point has no override'
}
