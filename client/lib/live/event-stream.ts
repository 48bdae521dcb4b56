// Reads one stream of server-sent events (HTML, section 9.2). Uses `fetch` instead of `EventSource`, which hides the status and
// Retry-After, and cannot say that the call does not extend the session.
import { createParser } from 'eventsource-parser'
import type { EndReason, LiveEvent } from '#shared/answers/events.ts'
import { answerOf } from '../http/request.ts'

/** The gateway sends a comment at least every 30 s. */
const SILENCE_MAX_MS = 60_000
const CHECK_EVERY_MS = 5_000
const EVENT_MAX_CHARACTERS = 100_000

/** Why a stream ended: as the gateway said, cut off without a word, or silent for too long. */
export type StreamEnd = EndReason | 'cut' | 'silent'

interface Listeners {
  onEvent: (event: LiveEvent) => void
  /** How long to wait before the next connection. */
  onRetry: (ms: number) => void
}

/** Reads events until the stream ends. Throws an ApiError if the gateway refuses, and an AbortError of the signal. */
export async function readEvents(
  path: string,
  signal: AbortSignal,
  { onEvent, onRetry }: Listeners
): Promise<StreamEnd> {
  const silence = new AbortController()
  const response = await answerOf(path, {
    accept: 'text/event-stream',
    background: true,
    signal: AbortSignal.any([signal, silence.signal])
  })
  let end: StreamEnd = 'cut'
  const parser = createParser({
    maxBufferSize: EVENT_MAX_CHARACTERS,
    onRetry,
    onEvent({ event = '', data }) {
      const received = { event, data: JSON.parse(data) } as LiveEvent
      if (received.event === 'end') end = received.data.reason
      onEvent(received)
    }
  })
  // The wall clock also runs while the machine sleeps: afterwards the connection is dead, and nothing says so.
  let lastByteMs = Date.now()
  const timer = setInterval(() => {
    if (Date.now() - lastByteMs <= SILENCE_MAX_MS) return
    end = 'silent'
    silence.abort()
  }, CHECK_EVERY_MS)
  try {
    for await (const text of textsOf(response)) {
      lastByteMs = Date.now()
      parser.feed(text)
      if (end !== 'cut') break
    }
  } catch {
    // The connection was cut off, or aborted.
  } finally {
    clearInterval(timer)
  }
  signal.throwIfAborted()
  return end
}

async function* textsOf({ body }: Response): AsyncGenerator<string> {
  if (body === null) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
