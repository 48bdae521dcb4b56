// Follows charted points: asks for the records since the last one, and adds them to the loaded samples.
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { NO_SAMPLES, type Samples } from '#shared/history/samples.ts'
import { useSeen } from '../../../lib/browser.ts'
import { isAbort } from '../../../lib/http/api-error.ts'
import { pauseBeforeRetry, RETRY_RULES } from '../../../lib/http/retry.ts'
import { LIVE_READ_MS } from '../../../lib/limits.ts'
import { waitFor } from '../../../lib/read-back.ts'
import type { Point } from '../points/point.ts'
import { fetchSince } from './api.ts'
import { joined } from './chart/history-samples.ts'

/** Records that reach the server up to this long after they were made are still found. */
const LATE_MS = 900_000

/** A line that is followed, with its loaded samples. */
export interface FollowedLine {
  id: string
  point: Point
  samples: Samples
}

export interface LiveTail {
  /** The loaded samples with the records read since, by line id. */
  samples: ReadonlyMap<string, Samples>
  /** When the records were last read; null before the first read. */
  readMs: number | null
  /** Since when reads fail; null while they succeed. */
  delayedSinceMs: number | null
}

const NOTHING_READ: LiveTail = { samples: new Map(), readMs: null, delayedSinceMs: null }

interface Following {
  customerId: string
  lines: readonly FollowedLine[]
  /** When the lines were loaded. */
  loadedMs: number
  enabled: boolean
  nowMs: () => number
}

/** Reads new records every 10 s while the page is visible; more slowly while reads fail. */
export function useLiveTail({ customerId, lines, loadedMs, enabled, nowMs }: Following): LiveTail {
  const [live, setLive] = useState(NOTHING_READ)
  const lastRead = useRef(loadedMs)
  const isVisible = useSeen()
  const read = useEffectEvent(async (signal: AbortSignal) => {
    const readMs = nowMs()
    const current = lines.map((line) => ({ ...line, samples: live.samples.get(line.id) ?? line.samples }))
    const since = current.map(({ id, point, samples }) => {
      // A line that was added later has its records only until `loadedMs`.
      const knownMs = live.samples.has(id) ? Math.max(lastRead.current, loadedMs) : loadedMs
      const startMs = knownMs - LATE_MS
      return { id, point, fromMs: Math.max((samples.times.at(-1) ?? startMs) + 1, startMs) }
    })
    const newSamples = await fetchSince(customerId, since, readMs, signal)
    lastRead.current = readMs
    setLive({
      samples: new Map(current.map(({ id, samples }) => [id, extended(samples, newSamples.get(id), readMs)])),
      readMs,
      delayedSinceMs: null
    })
  })
  const noteFailure = useEffectEvent(() => {
    setLive((before) => ({ ...before, delayedSinceMs: before.delayedSinceMs ?? nowMs() }))
  })
  const firstPause = useEffectEvent(() => Math.max(lastRead.current + LIVE_READ_MS - nowMs(), 0))
  useEffect(() => {
    if (!enabled || !isVisible) return
    const controller = new AbortController()
    void repeat(
      read,
      { firstPauseMs: firstPause(), wait: waitFor, onFailure: noteFailure },
      controller.signal
    )
    return () => controller.abort()
  }, [enabled, isVisible])
  return live
}

/** The samples with the records read since. A value that holds does so until the last read. */
export function extended(samples: Samples, newSamples: Samples = NO_SAMPLES, readMs: number): Samples {
  const validUntilMs = samples.validUntilMs === null ? null : readMs
  if (newSamples.times.length > 0) return { ...joined(samples, newSamples), validUntilMs }
  return validUntilMs === null ? samples : { ...samples, validUntilMs }
}

interface Repetition {
  firstPauseMs: number
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  onFailure: () => void
}

/** Reads every 10 s until the signal aborts, also while reads fail. */
export async function repeat(
  read: (signal: AbortSignal) => Promise<void>,
  { firstPauseMs, wait, onFailure }: Repetition,
  signal: AbortSignal
): Promise<void> {
  let pauseMs = firstPauseMs
  try {
    for (;;) {
      await wait(pauseMs, signal)
      try {
        await read(signal)
        pauseMs = LIVE_READ_MS
      } catch (error) {
        if (isAbort(error)) throw error
        onFailure()
        pauseMs = pauseBeforeRetry(RETRY_RULES.liveValues, 0, error)
      }
    }
  } catch (error) {
    if (!isAbort(error)) throw error
  }
}
