// Stores sessions in this process's memory, for development and the demo. They end with the process.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../types.ts'
import type { SessionBackend, StoredSession } from './backend.ts'

const KEPT_MAX = 20_000

export function createMemoryBackend(clock: Clock): SessionBackend {
  const kept = <T extends object | string>() =>
    new LRUCache<string, T>({ max: KEPT_MAX, perf: { now: clock }, ttlResolution: 0 })
  const sessions = kept<StoredSession>()
  const removed = kept<string>()
  const indexes = kept<Set<string>>()
  const leases = kept<string>()
  const once = kept<string>()
  // Starts a millisecond earlier, because the cache still returns a value at the moment of its expiry.
  const keep = <T extends object | string>(map: LRUCache<string, T>, key: string, value: T, ttl: number) =>
    map.set(key, value, { ttl, start: clock() - 1 })
  const current = (key: string) => (removed.has(key) ? undefined : sessions.get(key))

  return {
    async create(key, session, ttlMs, underIndexes) {
      keep(sessions, key, { ...session }, ttlMs)
      for (const { name, ttlMs: ttl } of underIndexes)
        keep(indexes, name, new Set(indexes.get(name)).add(key), ttl)
    },
    async read(key) {
      const session = current(key)
      return session ? { ...session } : null
    },
    summaryOf: async (key) => current(key) ?? null,
    async touch(key, lastUse, ttlMs) {
      const session = sessions.get(key)
      if (session) keep(sessions, key, { ...session, ...lastUse }, ttlMs)
    },
    async replaceData(key, expected, data) {
      const session = sessions.get(key)
      if (!session?.data.equals(expected)) return false
      session.data = data
      return true
    },
    async replaceTokens(key, expectedVersion, tokens) {
      const session = sessions.get(key)
      if (session?.version !== expectedVersion) return false
      Object.assign(session, { tokens, version: expectedVersion + 1 })
      return true
    },
    countLive: async (_nowMs) => [...sessions.keys()].length,
    endOf: async (key) => removed.get(key) ?? null,
    async remove(key, markedMs, why = '') {
      const wasThere = sessions.has(key)
      if (wasThere) keep(removed, key, why, markedMs)
      sessions.delete(key)
      return wasThere
    },
    keysOf: async (index) => [...(indexes.get(index) ?? [])],
    async takeLease(key, owner, ms) {
      if (leases.has(key)) return false
      keep(leases, key, owner, ms)
      return true
    },
    async renewLease(key, owner, ms) {
      if (leases.get(key) !== owner) return false
      keep(leases, key, owner, ms)
      return true
    },
    async releaseLease(key, owner) {
      if (leases.get(key) === owner) leases.delete(key)
    },
    async remember(name, value, ttlMs) {
      keep(once, name, value, ttlMs)
    },
    recall: async (name) => once.get(name) ?? null,
    async takeOnce(name) {
      const value = once.get(name) ?? null
      once.delete(name)
      return value
    },
    ping: async () => {},
    close: async () => {}
  }
}
