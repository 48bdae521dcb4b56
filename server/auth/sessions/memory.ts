// Sessions in this process's memory: for development and the demo. A restart forgets them.
import type { Clock } from '../../types.ts'
import type { SessionBackend, StoredSession } from './backend.ts'

interface Kept<T> {
  value: T
  until: number
}

export function createMemoryBackend(clock: Clock): SessionBackend {
  const sessions = new Map<string, Kept<StoredSession>>()
  const removed = new Map<string, Kept<string>>()
  const indexes = new Map<string, Kept<Set<string>>>()
  const leases = new Map<string, Kept<string>>()
  const once = new Map<string, Kept<string>>()

  function live<T>(map: Map<string, Kept<T>>, key: string): T | null {
    const kept = map.get(key)
    if (kept && kept.until > clock()) return kept.value
    map.delete(key)
    return null
  }

  const sweeper = setInterval(() => {
    for (const map of [sessions, removed, indexes, leases, once])
      for (const key of map.keys()) live<unknown>(map, key)
  }, 60_000).unref()

  return {
    async create(key, session, ttlMs, underIndexes) {
      sessions.set(key, { value: { ...session }, until: clock() + ttlMs })
      for (const { name, ttlMs } of underIndexes) {
        indexes.set(name, { value: new Set(live(indexes, name)).add(key), until: clock() + ttlMs })
      }
    },
    async read(key) {
      const session = live(removed, key) === null ? live(sessions, key) : null
      return session && { ...session }
    },
    summaryOf: async (key) => (live(removed, key) === null ? live(sessions, key) : null),
    async touch(key, lastUse, ttlMs) {
      const session = live(sessions, key)
      if (session) sessions.set(key, { value: { ...session, ...lastUse }, until: clock() + ttlMs })
    },
    async replaceData(key, expected, data) {
      const session = live(sessions, key)
      if (!session?.data.equals(expected)) return false
      session.data = data
      return true
    },
    async replaceTokens(key, expectedVersion, tokens) {
      const session = live(sessions, key)
      if (session?.version !== expectedVersion) return false
      Object.assign(session, { tokens, version: expectedVersion + 1 })
      return true
    },
    countLive: async (_nowMs) => [...sessions.keys()].filter((key) => live(sessions, key) !== null).length,
    endOf: async (key) => live(removed, key),
    async remove(key, markedMs, why = '') {
      const there = live(sessions, key) !== null
      if (there) removed.set(key, { value: why, until: clock() + markedMs })
      sessions.delete(key)
      return there
    },
    keysOf: async (index) => [...(live(indexes, index) ?? [])],
    async takeLease(key, owner, ms) {
      if (live(leases, key) !== null) return false
      leases.set(key, { value: owner, until: clock() + ms })
      return true
    },
    async renewLease(key, owner, ms) {
      if (live(leases, key) !== owner) return false
      leases.set(key, { value: owner, until: clock() + ms })
      return true
    },
    async releaseLease(key, owner) {
      if (live(leases, key) === owner) leases.delete(key)
    },
    async putOnce(name, value, ttlMs) {
      if (live(once, name) !== null) return false
      once.set(name, { value, until: clock() + ttlMs })
      return true
    },
    async remember(name, value, ttlMs) {
      once.set(name, { value, until: clock() + ttlMs })
    },
    recall: async (name) => live(once, name),
    async takeOnce(name) {
      const value = live(once, name)
      once.delete(name)
      return value
    },
    ping: async () => {},
    close: async () => clearInterval(sweeper)
  }
}
