// Stores sessions in Redis. A session is one hash, so that reading it takes one round trip. Each change is a script that first
// checks whether the session still exists, so that slow calls cannot restore an ended session.
import type { Cluster, Redis } from 'ioredis'
import { proveRedis, readOnceMore } from '../../redis.ts'
import type { SessionBackend } from './backend.ts'

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
const REMOVE = `
if redis.call('DEL', KEYS[1]) == 0 then return 0 end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[1])
return 1`
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
const leaseKey = (key: string) => `portal:{${key}}:lease`
const indexKey = (name: string) => `portal:index:${name}`
/** Time to live of the index `live` after the last sign-in. */
const COUNTED_SECONDS = 30 * 24 * 60 * 60
/** Sessions by the time at which they expire if unused. */
const LIVE = indexKey('live')
const onceKey = (name: string) => `portal:once:${name}`

/** Whether an answer has the two fields of an unchanged session, or all six fields. */
function areFields(answer: unknown, isKnown: boolean): answer is (Buffer | null)[] {
  const isField = (one: unknown) => one === null || Buffer.isBuffer(one)
  return (
    Array.isArray(answer) &&
    (answer.length === 6 || (isKnown && answer.length === 2)) &&
    answer.every(isField)
  )
}

/** The method that `defineCommand` adds. */
type Read = (...args: [...keys: [string, string], Buffer, number, number]) => Promise<unknown>

export function createRedisBackend(redis: Redis | Cluster): SessionBackend {
  redis.defineCommand('readSession', { numberOfKeys: 2, lua: READ })
  const { readSessionBuffer } = redis as unknown as { readSessionBuffer: Read }
  const readWithRetry = <T>(read: () => Promise<T>) => readOnceMore(redis, read)
  return {
    async create(key, session, ttlMs, indexes) {
      // Writes the indexes first: a session without an index could not be ended from outside.
      for (const { name, ttlMs } of indexes) {
        await redis
          .multi()
          .zremrangebyscore(indexKey(name), 0, session.createdAt)
          .zadd(indexKey(name), session.createdAt + ttlMs, key)
          .pexpire(indexKey(name), ttlMs)
          .exec()
      }
      await redis.multi().hset(sessionKey(key), session).pexpire(sessionKey(key), ttlMs).exec()
      await redis
        .multi()
        .zremrangebyscore(LIVE, 0, session.createdAt)
        .zadd(LIVE, session.createdAt + ttlMs, key)
        .expire(LIVE, COUNTED_SECONDS)
        .exec()
    },
    async read(key, known) {
      const mark = known?.data.subarray(0, MARK_BYTES) ?? NOTHING
      const keys = [sessionKey(key), removedKey(key)] as const
      const fields = await readWithRetry(() =>
        readSessionBuffer.call(redis, ...keys, mark, MARK_BYTES, known?.version ?? 0)
      )
      // An unexpected answer must not end the session.
      if (!areFields(fields, known !== undefined)) throw new Error('unexpected answer from Redis')
      const [seen, seenAt, data, version, tokens, createdAt] = fields
      const lastUse = { seen: seen ?? NOTHING, seenAt: Number(seenAt) }
      if (known && fields.length === 2) return { ...known, ...lastUse }
      if (data == null || tokens == null) return null
      // Copies, because a slice would keep the whole network chunk in memory.
      const [ownData, ownTokens] = [Buffer.from(data), Buffer.from(tokens)]
      return {
        ...lastUse,
        data: ownData,
        tokens: ownTokens,
        version: Number(version),
        createdAt: Number(createdAt)
      }
    },
    async touch(key, { seen, seenAt }, ttlMs) {
      const exists = (await redis.eval(TOUCH, 1, sessionKey(key), seen, seenAt, ttlMs)) === 1
      if (exists) await redis.zadd(LIVE, seenAt + ttlMs, key)
    },
    replaceData: async (key, expected, data) =>
      (await redis.eval(REPLACE_DATA, 1, sessionKey(key), expected, data)) === 1,
    replaceTokens: async (key, expectedVersion, tokens) =>
      (await redis.eval(REPLACE_TOKENS, 1, sessionKey(key), expectedVersion, tokens)) === 1,
    async remove(key, markedMs, why = '') {
      const existed = (await redis.eval(REMOVE, 2, sessionKey(key), removedKey(key), markedMs, why)) === 1
      // If this fails, only the count of sessions is too high.
      if (existed) void redis.zrem(LIVE, key).catch(() => {})
      return existed
    },
    countLive: (nowMs) => readWithRetry(() => redis.zcount(LIVE, nowMs, '+inf')),
    endOf: (key) => readWithRetry(() => redis.get(removedKey(key))),
    async summaryOf(key) {
      const fields = readWithRetry(() => redis.hmgetBuffer(sessionKey(key), 'seenAt', 'createdAt', 'about'))
      const [[seenAt, createdAt, about], ended] = await Promise.all([fields, this.endOf(key)])
      if (ended !== null || seenAt == null) return null
      return { seenAt: Number(seenAt), createdAt: Number(createdAt), ...(about && { about }) }
    },
    keysOf: (index) => readWithRetry(() => redis.zrange(indexKey(index), '0', '-1')),
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
