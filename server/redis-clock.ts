// The clock that all replicas share: that of Redis. Replicas compare times that another replica stored (sign-in, last use, end
// of sessions, age of roles), so a difference between their machines must not matter.
import type { Cluster, Redis } from 'ioredis'
import type { ClockRefusal } from './observability/recorder.ts'
import type { Clock, Log } from './types.ts'

const READ_EVERY_MS = 10_000
/** A script with a key, because a Cluster would send `TIME` to any node, and their clocks may differ. */
const TIME = "return redis.call('TIME')"
/** Redis's messages to a user who may not run EVAL, or TIME within it. */
const REFUSED = /^NOPERM|can't run this command/
const KEY = 'portal:clock'
/** A larger change of the offset is an error of Redis's clock: it would end all sessions, or keep them for too long. */
const JUMP_MAX_MS = 5 * 60_000
/** A reading shows that the clock advances only this long after the one before, or later. */
const ADVANCES_AFTER_MS = 1_000
/** Redis's clock stands still if it advances by less than this part of the time that has passed. */
const ADVANCE_MIN = 0.5

interface Reading {
  redisMs: number
  /** The process's steady clock at the same moment. */
  steadyMs: number
}

/** As the alert `ClockDiffers`. */
const NOTABLE_MS = 30_000

/** A sentence about clocks that differ by more than 30 seconds; null for others. */
export function clockDifference(offsetMs: number): string | null {
  if (Math.abs(offsetMs) <= NOTABLE_MS) return null
  const direction = offsetMs > 0 ? 'behind' : 'ahead of'
  const seconds = Math.round(Math.abs(offsetMs) / 1000)
  return `the clock of this machine is ${seconds} s ${direction} that of Redis: synchronize both machines (NTP)`
}

export interface RedisClock {
  now: Clock
  /** Redis's time minus the time of this machine. */
  offsetMs: () => number
  /** Reads the time now. Never rejects. */
  synchronize: () => Promise<void>
  close: () => void
}

interface Options {
  localClock: Clock
  log: Log
  /** Called for each reading that is refused. */
  onRefused?: (reason: ClockRefusal) => void
  /** Milliseconds of a clock that nobody sets. */
  steadyClock?: () => number
}

/**
 * Reads the time of Redis with each new connection and every ten seconds, and in between adds the offset to this machine's
 * clock. Until the first answer, the clock is this machine's. A reading that jumps or stands still changes nothing.
 */
export function createRedisClock(
  redis: Redis | Cluster,
  { localClock, log, onRefused = () => {}, steadyClock = () => performance.now() }: Options
): RedisClock {
  let offsetMs = 0
  let wasRefused = false
  let accepted: Reading | undefined
  let last: Reading | undefined
  /** The reason of the last reading, so that only changes are logged. */
  let refusal: ClockRefusal | undefined

  async function readOffset(): Promise<void> {
    const sentAt = steadyClock()
    const [seconds, microseconds] = (await redis.eval(TIME, 1, KEY)) as [string, string]
    // Redis read its clock at an unknown moment of the round trip: the middle is wrong by half of it at most.
    const errorMs = (steadyClock() - sentAt) / 2
    const reading = {
      redisMs: Number(seconds) * 1000 + Number(microseconds) / 1000,
      steadyMs: sentAt + errorMs
    }
    const newOffsetMs = reading.redisMs - (localClock() - errorMs)
    const reason = refusalOf(reading, newOffsetMs)
    last = reading
    if (reason !== undefined) onRefused(reason)
    report(reason, newOffsetMs)
    if (reason !== undefined) return
    accepted = reading
    // Keeps an offset that may still be right, so that a slow answer does not replace a more exact one.
    if (Math.abs(newOffsetMs - offsetMs) > errorMs) offsetMs = Math.round(newOffsetMs)
  }

  function refusalOf(reading: Reading, newOffsetMs: number): ClockRefusal | undefined {
    if (last !== undefined) {
      const passedMs = reading.steadyMs - last.steadyMs
      const advancedMs = reading.redisMs - last.redisMs
      if (passedMs >= ADVANCES_AFTER_MS && advancedMs >= 0 && advancedMs < passedMs * ADVANCE_MIN)
        return 'stands still'
    }
    if (accepted === undefined || Math.abs(newOffsetMs - offsetMs) <= JUMP_MAX_MS) return
    const drift = reading.redisMs - accepted.redisMs - (reading.steadyMs - accepted.steadyMs)
    // Otherwise this machine's clock was set, and Redis's goes on evenly.
    return Math.abs(drift) > JUMP_MAX_MS ? 'jumps' : undefined
  }

  function report(reason: ClockRefusal | undefined, newOffsetMs: number): void {
    if (reason === refusal) return
    refusal = reason
    const details = { reason, offsetMs, newOffsetMs: Math.round(newOffsetMs) }
    if (reason === undefined) log.info(details, "uses Redis's clock again")
    else log.error(details, "refuses Redis's clock and keeps the known offset: check the clock of Redis")
  }

  async function synchronize(): Promise<void> {
    if (redis.status !== 'ready') return
    await readOffset().catch((err: Error) => {
      // Other failures are those of all commands, which the session store reports.
      if (wasRefused || !REFUSED.test(err.message)) return
      wasRefused = true
      log.warn({ err }, 'uses the clock of this machine, because the user of Redis may not run EVAL and TIME')
    })
  }

  redis.on('ready', synchronize)
  void synchronize()
  const timer = setInterval(synchronize, READ_EVERY_MS).unref()
  return {
    now: () => localClock() + offsetMs,
    offsetMs: () => offsetMs,
    synchronize,
    close() {
      clearInterval(timer)
      redis.off('ready', synchronize)
    }
  }
}
