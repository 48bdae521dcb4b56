// The open streams of this replica: their limits, and how they end together.
import type { EndReason } from '#shared/answers/events.ts'
import { problems } from '../../errors.ts'
import type { Caller } from '../../types.ts'
import type { Stream } from './stream.ts'

/** Maximum of a session, or of a user of a service. Browsers have one stream for each visible page. */
const PER_CALLER_MAX = 6
/** A person with many sessions has this part of a replica's streams, a service with tokens of many users this one. */
const SHARE_OF_PERSON = 1 / 10
const SHARE_OF_SERVICE = 1 / 4
/** Range of `Retry-After` if the replica is full, so that refused callers do not return at once. */
const RETRY_MIN_SECONDS = 5
const RETRY_MAX_SECONDS = 15

export type Streams = ReturnType<typeof createStreams>

/** @param max maximum number of streams; 0 refuses all */
export function createStreams(max: number) {
  const streamsOf = new Map<string, Set<Stream>>()
  let count = 0
  let isStopping = false

  /** Maximum number of streams by the names under which those of the caller are counted. */
  function limitsOf(caller: Caller): Map<string, number> {
    const { clientId, user } = caller
    const shareOf = (part: number) => Math.max(PER_CALLER_MAX, Math.ceil(max * part))
    const limits = new Map([
      [keyOf(caller), PER_CALLER_MAX],
      [`person ${user.id}`, shareOf(SHARE_OF_PERSON)]
    ])
    if (clientId !== undefined) limits.set(`service ${clientId}`, shareOf(SHARE_OF_SERVICE))
    return limits
  }

  function refuseExceeded(limits: ReadonlyMap<string, number>): void {
    if (max === 0) throw problems.streamsOff()
    if (isStopping || count >= max) throw problems.tooManyStreams(retrySeconds())
    for (const [key, limit] of limits)
      if ((streamsOf.get(key)?.size ?? 0) >= limit) throw problems.tooManyCalls(retrySeconds())
  }

  return {
    get count() {
      return count
    },
    /**
     * Opens a stream of the caller. Throws a 501 problem if streams are switched off, 503 if the replica is full or stops, and
     * 429 if the caller, its person or its service has too many.
     * @param open receives the function to call when the stream has ended
     */
    add(caller: Caller, open: (leave: () => void) => Stream): void {
      const limits = limitsOf(caller)
      refuseExceeded(limits)
      const stream = open(() => {
        count -= 1
        for (const key of limits.keys()) {
          const streams = streamsOf.get(key)
          streams?.delete(stream)
          if (streams?.size === 0) streamsOf.delete(key)
        }
      })
      count += 1
      for (const key of limits.keys()) streamsOf.set(key, (streamsOf.get(key) ?? new Set()).add(stream))
    },
    /** Ends the streams of these sessions at once. */
    endSessions(names: readonly string[]): void {
      for (const name of names) endAll(streamsOf.get(sessionKey(name)) ?? [], 'session')
    },
    /** Ends all streams and refuses new ones, because the replica stops. */
    stop(): void {
      isStopping = true
      for (const streams of [...streamsOf.values()]) endAll(streams, 'stopping')
    }
  }
}

function endAll(streams: Iterable<Stream>, reason: EndReason): void {
  for (const stream of [...streams]) stream.end(reason)
}

const sessionKey = (name: string) => `session ${name}`

function keyOf({ sessionName, clientId, user }: Caller): string {
  return sessionName === undefined ? `client ${clientId} ${user.id}` : sessionKey(sessionName)
}

const retrySeconds = () =>
  Math.round(RETRY_MIN_SECONDS + Math.random() * (RETRY_MAX_SECONDS - RETRY_MIN_SECONDS))
