// Stores sessions in Redis. A session is one hash, so that reading it takes one round trip. Each change is a script that first
// checks whether the session still exists, so that slow calls cannot restore an ended session.
import type { Cluster, Redis } from 'ioredis'
import { readOnceMore } from '../../redis.ts'
import { proveRedis } from '../../redis-proof.ts'
import type { SessionBackend, SessionSummary, StoredSession } from './backend.ts'

/** Returns only the last use if the version and the first bytes of the data, which are unique, match the arguments. */
const READ = `
local absent = {false, false, false, false, false, false}
if redis.call('EXISTS', KEYS[2]) == 1 then return absent end
local seen, seenAt, data, version, tokens, createdAt =
  unpack(redis.call('HMGET', KEYS[1], 'seen', 'seenAt', 'data', 'version', 'tokens', 'createdAt'))
if not data or not tokens then return absent end
if string.sub(data, 1, ARGV[2]) == ARGV[1] and version == ARGV[3] then return {seen, seenAt} end
return {seen, seenAt, data, version, tokens, createdAt}`
const REPLACE_DATA = `
if redis.call('HGET', KEYS[1], 'data') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'data', ARGV[2])
return 1`
const TOUCH = `
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'seen', ARGV[1], 'seenAt', ARGV[2])
return redis.call('PEXPIRE', KEYS[1], ARGV[3])`
/** Returns the names of the session's indexes. A renamed record expires as before. */
const REMOVE = `
if redis.call('EXISTS', KEYS[1]) == 0 then return false end
local indexes = redis.call('HGET', KEYS[1], 'indexes')
if ARGV[3] == 'keep' then redis.call('RENAME', KEYS[1], KEYS[3]) else redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[1])
return indexes or ''`
const TAKE_ENDED = `
local fields = redis.call('HMGET', KEYS[1], 'seen', 'seenAt', 'data', 'version', 'tokens', 'createdAt')
redis.call('DEL', KEYS[1])
return fields`
const SUMMARIZE = `
if redis.call('EXISTS', KEYS[2]) == 1 then return {} end
return redis.call('HMGET', KEYS[1], 'seenAt', 'createdAt', 'about')`
const REPLACE_TOKENS = `
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'tokens', ARGV[2], 'version', ARGV[1] + 1)
return 1`
const RENEW = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`
const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`

/** The length of the key id, initialization vector and authentication tag at the start of encrypted data. */
const MARK_BYTES = 32
const NOTHING = Buffer.alloc(0)

/** The hash tag keeps all keys of a session in one slot of a Redis Cluster. */
const sessionKey = (key: string) => `portal:{${key}}:session`
const removedKey = (key: string) => `portal:{${key}}:removed`
const endedKey = (key: string) => `portal:{${key}}:ended`
const leaseKey = (key: string) => `portal:{${key}}:lease`
const indexKey = (name: string) => `portal:index:${name}`
/** Time to live of the index `live` after the last sign-in. */
const COUNTED_SECONDS = 30 * 24 * 60 * 60
/** Sessions by the time at which they expire if unused. */
const LIVE = 'live'
const onceKey = (name: string) => `portal:once:${name}`

/** Whether an answer has the two fields of an unchanged session, or all six fields. */
function areFields(answer: unknown, isKnown: boolean): answer is (Buffer | null)[] {
  const isField = (value: unknown) => value === null || Buffer.isBuffer(value)
  return (
    Array.isArray(answer) &&
    (answer.length === 6 || (isKnown && answer.length === 2)) &&
    answer.every(isField)
  )
}

type Fields = readonly (Buffer | null)[]

/** A session from its six fields; null if there is none. Copies, because a slice would keep the whole network chunk in memory. */
function storedOf([seen, seenAt, data, version, tokens, createdAt]: Fields): StoredSession | null {
  if (data == null || tokens == null) return null
  return {
    seen: Buffer.from(seen ?? NOTHING),
    seenAt: Number(seenAt),
    data: Buffer.from(data),
    tokens: Buffer.from(tokens),
    version: Number(version),
    createdAt: Number(createdAt)
  }
}

/** The methods that `defineCommand` adds. */
interface Scripts {
  readSessionBuffer(...args: [...keys: [string, string], Buffer, number, number]): Promise<unknown>
  summarizeSessionBuffer(...keys: [string, string]): Promise<Fields>
  removeSession(...args: [...keys: [string, string, string], number, string, string]): Promise<string | null>
}

export function createRedisBackend(redis: Redis | Cluster): SessionBackend {
  redis.defineCommand('readSession', { numberOfKeys: 2, lua: READ })
  redis.defineCommand('summarizeSession', { numberOfKeys: 2, lua: SUMMARIZE })
  redis.defineCommand('removeSession', { numberOfKeys: 3, lua: REMOVE })
  const scripts = redis as unknown as Scripts
  const readWithRetry = <T>(read: () => Promise<T>) => readOnceMore(redis, read)

  async function summaryOf(key: string): Promise<SessionSummary | null> {
    const [seenAt, createdAt, about] = await readWithRetry(() =>
      scripts.summarizeSessionBuffer(sessionKey(key), removedKey(key))
    )
    if (seenAt == null) return null
    return { seenAt: Number(seenAt), createdAt: Number(createdAt), ...(about && { about }) }
  }

  return {
    async create(key, session, ttlMs, indexes) {
      const fields = { ...session, indexes: indexes.map(({ name }) => name).join(' ') }
      await redis.multi().hset(sessionKey(key), fields).pexpire(sessionKey(key), ttlMs).exec()
      // If this fails, the caller sends no cookie, so nobody can use the session. The indexes come second: a name without a
      // session is always a session that has ended.
      for (const { name, ttlMs } of indexes) {
        await redis
          .multi()
          .zremrangebyscore(indexKey(name), 0, session.createdAt)
          .zadd(indexKey(name), session.createdAt + ttlMs, key)
          .pexpire(indexKey(name), ttlMs)
          .exec()
      }
      await redis
        .multi()
        .zremrangebyscore(indexKey(LIVE), 0, session.createdAt)
        .zadd(indexKey(LIVE), session.createdAt + ttlMs, key)
        .expire(indexKey(LIVE), COUNTED_SECONDS)
        .exec()
    },
    async read(key, known) {
      const mark = known?.data.subarray(0, MARK_BYTES) ?? NOTHING
      const keys = [sessionKey(key), removedKey(key)] as const
      const fields = await readWithRetry(() =>
        scripts.readSessionBuffer(...keys, mark, MARK_BYTES, known?.version ?? 0)
      )
      // An unexpected answer must not end the session.
      if (!areFields(fields, known !== undefined)) throw new Error('unexpected answer from Redis')
      if (!known || fields.length === 6) return storedOf(fields)
      const [seen, seenAt] = fields
      return { ...known, seen: seen ?? NOTHING, seenAt: Number(seenAt) }
    },
    async touch(key, { seen, seenAt }, ttlMs) {
      const exists = (await redis.eval(TOUCH, 1, sessionKey(key), seen, seenAt, ttlMs)) === 1
      if (exists) await redis.zadd(indexKey(LIVE), seenAt + ttlMs, key)
    },
    replaceData: async (key, expected, data) =>
      (await redis.eval(REPLACE_DATA, 1, sessionKey(key), expected, data)) === 1,
    replaceTokens: async (key, expectedVersion, tokens) =>
      (await redis.eval(REPLACE_TOKENS, 1, sessionKey(key), expectedVersion, tokens)) === 1,
    async remove(keys, { markedMs, why = '', keepRecord = false }) {
      const record = keepRecord ? 'keep' : 'delete'
      const removals = keys.map(async (key) => {
        const scriptKeys = [sessionKey(key), removedKey(key), endedKey(key)] as const
        const indexes = await scripts.removeSession(...scriptKeys, markedMs, why, record)
        return indexes === null ? [] : { key, indexes: indexes.split(' ').filter(Boolean) }
      })
      const removed = (await Promise.all(removals)).flat()
      // If this fails, only the count of sessions is too high, and the indexes have names without a session.
      await Promise.allSettled(
        removed.flatMap(({ key, indexes }) =>
          [LIVE, ...indexes].map((index) => redis.zrem(indexKey(index), key))
        )
      )
      return removed.map(({ key }) => key)
    },
    countLive: (nowMs) => readWithRetry(() => redis.zcount(indexKey(LIVE), nowMs, '+inf')),
    endOf: (key) => readWithRetry(() => redis.get(removedKey(key))),
    takeEnded: async (key) =>
      storedOf((await redis.callBuffer('EVAL', TAKE_ENDED, 1, endedKey(key))) as Fields),
    summariesOf: (keys) => Promise.all(keys.map(summaryOf)),
    keysOf: (index, count) => readWithRetry(() => redis.zrevrange(indexKey(index), 0, count - 1)),
    isIndexed: async (index, key) => (await readWithRetry(() => redis.zscore(indexKey(index), key))) !== null,
    async leaveIndex(index, keys) {
      if (keys.length > 0) await redis.zrem(indexKey(index), ...keys)
    },
    takeLease: async (key, owner, ms) => (await redis.set(leaseKey(key), owner, 'PX', ms, 'NX')) === 'OK',
    renewLease: async (key, owner, ms) => (await redis.eval(RENEW, 1, leaseKey(key), owner, ms)) === 1,
    async releaseLease(key, owner) {
      await redis.eval(RELEASE, 1, leaseKey(key), owner)
    },
    async remember(name, value, ttlMs) {
      await redis.set(onceKey(name), value, 'PX', ttlMs)
    },
    recall: (name) => readWithRetry(() => redis.get(onceKey(name))),
    takeOnce: (name) => redis.getdel(onceKey(name)),
    ping: () => proveRedis(redis),
    async close() {
      redis.disconnect()
    }
  }
}
