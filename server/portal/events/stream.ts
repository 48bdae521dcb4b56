// One live stream: sends what has changed since it was last sent, and ends with the rights of its reader. Confirms the rights
// before each write, and writes at most once a second, so that each confirmation reads the session again.
import type { FastifyReply } from 'fastify'
import type { EndReason, LiveEvent } from '#shared/answers/events.ts'
import { Problem } from '../../errors.ts'
import { openWire } from './wire.ts'

/** Longer than `assertSignedIn` relies on an earlier read of the session (auth/caller.ts). */
const CONFIRM_EVERY_MS = 1_050
/** How long a confirmation holds for the rest of a long state, which the reader is still reading. */
const CONFIRMED_MS = 250
/** While rights cannot be confirmed, further attempts per heartbeat, and the number of heartbeats after which the stream ends. */
const RETRIES_PER_HEARTBEAT = 5
const HEARTBEATS_WITHOUT_RIGHTS = 3
/** Range of the time that a reader waits before it connects again, so that many readers do not come at once. */
const RECONNECT_MIN_MS = 1_000
const RECONNECT_MAX_MS = 5_000
/** The age at which a stream ends varies by this part, so that streams opened together do not end together. */
const ROTATION_SPREAD = 0.2

/** An event about one subject, and the state of it. An event with an unchanged state is not sent again. */
export interface State {
  /** Names the subject, for example a customer's alarms. */
  subject: string
  /** Changes with the event. */
  tag: string
  event: LiveEvent
}

export interface StreamOptions {
  /** Throws unless the reader may receive what `present` returns. */
  confirm: () => Promise<void>
  /** The present states. */
  present: () => Iterable<State>
  /** Called when the stream has ended. */
  onClose: () => void
  onSent: (event: LiveEvent['event']) => void
  heartbeatMs: number
  rotationMs: number
}

export interface Stream {
  /** Says that a state may have changed. */
  changed(): void
  end(reason: EndReason): void
}

export function openStream(reply: FastifyReply, options: StreamOptions): Stream {
  const { confirm, present, onClose, onSent, heartbeatMs, rotationMs } = options
  const sentTags = new Map<string, string>()
  let isClosed = false
  let isRunning = false
  /** Whether the next run sends changed events, and a heartbeat. */
  let needs = { events: true, beat: false }
  let confirmedAt = Number.NEGATIVE_INFINITY
  let failingSince: number | undefined
  let next: NodeJS.Timeout | undefined

  const wire = openWire(reply, { retryMs: reconnectMs(), onDrain: writeRest, onClose: close })
  const heartbeat = setInterval(() => {
    needs.beat = true
    schedule()
  }, heartbeatMs)
  const rotation = setTimeout(
    () => end('rotation'),
    rotationMs * (1 - ROTATION_SPREAD + 2 * ROTATION_SPREAD * Math.random())
  )

  function changed(): void {
    needs.events = true
    schedule()
  }

  /** Goes on with a state that did not fit into the socket. */
  function writeRest(): void {
    const isConfirmed = performance.now() - confirmedAt < CONFIRMED_MS && !isRunning && !isClosed
    if (isConfirmed && failingSince === undefined) write()
    else changed()
  }

  function schedule(waitMs = confirmedAt + CONFIRM_EVERY_MS - performance.now()): void {
    if (isClosed || isRunning || next !== undefined) return
    next = setTimeout(() => void run(), Math.max(0, waitMs))
  }

  async function run(): Promise<void> {
    next = undefined
    isRunning = true
    confirmedAt = performance.now()
    const problem = await confirm().catch((error: unknown) => error)
    isRunning = false
    if (isClosed) return
    if (problem !== undefined) return fail(problem)
    failingSince = undefined
    write()
    if (needs.events && !wire.isFull) schedule()
  }

  function write(): void {
    if (wire.isFull) return
    const { beat } = needs
    needs = { events: false, beat: false }
    if (beat) wire.beat()
    for (const { subject, tag, event } of present()) {
      if (sentTags.get(subject) === tag) continue
      // The rest is sent as soon as this has been read, in its state of that time.
      if (wire.isFull) {
        needs.events = true
        return
      }
      sentTags.set(subject, tag)
      wire.send(event)
      onSent(event.event)
    }
  }

  /** Ends the stream if the rights have ended. Otherwise they cannot be confirmed at the moment: nothing is sent meanwhile. */
  function fail(problem: unknown): void {
    const status = problem instanceof Problem ? problem.status : 500
    failingSince ??= confirmedAt
    if (status === 401) end('session')
    else if (status === 403 || status === 404) end('roles')
    else if (confirmedAt - failingSince >= HEARTBEATS_WITHOUT_RIGHTS * heartbeatMs) end('unavailable')
    else schedule(heartbeatMs / RETRIES_PER_HEARTBEAT)
  }

  function end(reason: EndReason): void {
    if (isClosed) return
    close()
    wire.end({ event: 'end', data: { reason } }, reconnectMs())
    onSent('end')
  }

  function close(): void {
    if (isClosed) return
    isClosed = true
    clearTimeout(next)
    clearInterval(heartbeat)
    clearTimeout(rotation)
    onClose()
  }

  schedule(0)
  return { changed, end }
}

const reconnectMs = () => Math.round(RECONNECT_MIN_MS + Math.random() * (RECONNECT_MAX_MS - RECONNECT_MIN_MS))
