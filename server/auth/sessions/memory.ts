// Stores sessions in this process's memory, for development and the demo. All sessions end with the process.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../types.ts'
import type { SessionBackend, SessionEnd, StoredSession } from './backend.ts'

const ENTRIES_MAX = 20_000

export function createMemoryBackend(clock: Clock): SessionBackend {
  const createMap = <T extends object | string>() =>
    new LRUCache<string, T>({ max: ENTRIES_MAX, perf: { now: clock }, ttlResolution: 0 })
  const sessions = createMap<StoredSession>()
  const endedSessions = createMap<StoredSession>()
  const removalReasons = createMap<string>()
  /** Keys by index, oldest first. */
  const indexes = createMap<Set<string>>()
  const leases = createMap<string>()
  const values = createMap<string>()
  // Lets entries expire a millisecond earlier, because the cache still returns a value at the moment of its expiry.
  const put = <T extends object | string>(map: LRUCache<string, T>, key: string, value: T, ttl: number) =>
    map.set(key, value, { ttl, start: clock() - 1 })
  const current = (key: string) => (removalReasons.has(key) ? undefined : sessions.get(key))

  function end(key: string, { markedMs, why = '', keepRecord = false }: SessionEnd): boolean {
    const session = sessions.get(key)
    if (session === undefined) return false
    if (keepRecord) put(endedSessions, key, session, sessions.getRemainingTTL(key))
    put(removalReasons, key, why, markedMs)
    sessions.delete(key)
    for (const index of indexes.values()) index.delete(key)
    return true
  }

  return {
    async create(key, session, ttlMs, underIndexes) {
      put(sessions, key, { ...session }, ttlMs)
      for (const { name, ttlMs: ttl } of underIndexes)
        put(indexes, name, new Set(indexes.get(name)).add(key), ttl)
    },
    async read(key) {
      const session = current(key)
      return session ? { ...session } : null
    },
    summariesOf: async (keys) => keys.map((key) => current(key) ?? null),
    async touch(key, lastUse, ttlMs) {
      const session = sessions.get(key)
      if (session) put(sessions, key, { ...session, ...lastUse }, ttlMs)
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
    endOf: async (key) => removalReasons.get(key) ?? null,
    remove: async (keys, options) => keys.filter((key) => end(key, options)),
    async takeEnded(key) {
      const session = endedSessions.get(key) ?? null
      endedSessions.delete(key)
      return session
    },
    keysOf: async (index, count) => [...(indexes.get(index) ?? [])].reverse().slice(0, count),
    isIndexed: async (index, key) => indexes.get(index)?.has(key) ?? false,
    async leaveIndex(index, keys) {
      for (const key of keys) indexes.get(index)?.delete(key)
    },
    async takeLease(key, owner, ms) {
      if (leases.has(key)) return false
      put(leases, key, owner, ms)
      return true
    },
    async renewLease(key, owner, ms) {
      if (leases.get(key) !== owner) return false
      put(leases, key, owner, ms)
      return true
    },
    async releaseLease(key, owner) {
      if (leases.get(key) === owner) leases.delete(key)
    },
    async remember(name, value, ttlMs) {
      put(values, name, value, ttlMs)
    },
    recall: async (name) => values.get(name) ?? null,
    async takeOnce(name) {
      const value = values.get(name) ?? null
      values.delete(name)
      return value
    },
    ping: async () => {},
    close: async () => {}
  }
}
