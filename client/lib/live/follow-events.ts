// Keeps a live stream open: connects again when it ends, and says whether screens can rely on it or have to poll.
import type { LiveEvent } from '#shared/answers/events.ts'
import { listen } from '../browser.ts'
import { ApiError } from '../http/api-error.ts'
import { pauseBeforeRetry, RETRY_RULES } from '../http/retry.ts'
import { waitFor } from '../read-back.ts'
import { readEvents, type StreamEnd } from './event-stream.ts'

/** Failures in a row after which screens poll. */
const FAILURES_MAX = 3
/** The pause after an end that the gateway planned, unless it names another one. */
const PLANNED_PAUSE_MS = 1_000
/** Ends that the gateway planned. All others are failures. */
const PLANNED: readonly StreamEnd[] = ['roles', 'rotation', 'stopping']
/** Refusals that another connection would not change: nobody is signed in, or the deployment has no streams. */
const FINAL_STATUSES = [401, 501]

interface Listeners {
  onEvent: (event: LiveEvent) => void
  /** True once events arrive, false when screens have to poll. */
  onLive: (isLive: boolean) => void
}

/** Follows the stream at the path until the returned function is called. */
export function followEvents(path: string, { onEvent, onLive }: Listeners): () => void {
  const stop = new AbortController()
  /** Aborting it ends the present stream or pause, and connects again. */
  let attempt = new AbortController()
  let failures = 0
  let pauseMs = PLANNED_PAUSE_MS

  async function connect(signal: AbortSignal): Promise<StreamEnd | ApiError> {
    try {
      return await readEvents(path, signal, {
        onRetry: (ms) => {
          pauseMs = ms
        },
        onEvent(event) {
          failures = 0
          if (event.event !== 'end') onLive(true)
          onEvent(event)
        }
      })
    } catch (error) {
      return error instanceof ApiError ? error : 'cut'
    }
  }

  function fail(end: StreamEnd | ApiError): void {
    pauseMs = Math.max(pauseMs, pauseBeforeRetry(RETRY_RULES.stream, failures, end))
    failures += 1
    if (failures >= FAILURES_MAX) onLive(false)
  }

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      attempt = new AbortController()
      pauseMs = PLANNED_PAUSE_MS
      const signal = AbortSignal.any([stop.signal, attempt.signal])
      const end = await connect(signal)
      if (signal.aborted) continue
      const isRefused = end instanceof ApiError
      if (end === 'session' || (isRefused && FINAL_STATUSES.includes(end.status))) return onLive(false)
      if (end === 'silent') onLive(false)
      if (isRefused || !PLANNED.includes(end)) fail(end)
      await waitFor(pauseMs, signal).catch(() => {})
    }
  }

  const stopListening = listen(window, { online: () => attempt.abort() })
  void run()
  return () => {
    stopListening()
    stop.abort()
  }
}
