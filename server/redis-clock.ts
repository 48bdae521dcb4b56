// The clock that all replicas share: that of Redis. Replicas compare times that another replica stored (sign-in, last use, end
// of sessions, age of roles), so a difference between their machines must not matter.
import type { Cluster, Redis } from 'ioredis'
import type { Clock, Log } from './types.ts'

const READ_EVERY_MS = 10_000
/** A script with a key, because a Cluster would send `TIME` to any node, and their clocks may differ. */
const TIME = "return redis.call('TIME')"
/** Redis's messages to a user who may not run EVAL, or TIME within it. */
const REFUSED = /^NOPERM|can't run this command/
const KEY = 'portal:clock'

export interface RedisClock {
  now: Clock
  /** Redis's time minus the time of this machine. */
  offsetMs: () => number
  /** Reads the time now. Never rejects. */
  synchronize: () => Promise<void>
  close: () => void
}

/**
 * Reads the time of Redis with each new connection and every ten seconds, and in between adds the offset to this machine's
 * clock. Until the first answer, the clock is this machine's.
 */
export function createRedisClock(redis: Redis | Cluster, localClock: Clock, log: Log): RedisClock {
  let offsetMs = 0
  let wasRefused = false

  async function readOffset(): Promise<void> {
    const sentAt = performance.now()
    const [seconds, microseconds] = (await redis.eval(TIME, 1, KEY)) as [string, string]
    // Redis read its clock at an unknown moment of the round trip: the middle is wrong by half of it at most.
    const errorMs = (performance.now() - sentAt) / 2
    const newOffsetMs = Number(seconds) * 1000 + Number(microseconds) / 1000 - (localClock() - errorMs)
    // Keeps an offset that may still be right, so that a slow answer does not replace a more exact one.
    if (Math.abs(newOffsetMs - offsetMs) > errorMs) offsetMs = Math.round(newOffsetMs)
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
