// Proves that Redis stores what the gateway writes, and that the user of Redis may run every command and use every channel that
// the gateway needs. A user who may only SET and GET would pass a simpler check, and then nobody could sign in.
import { randomUUID } from 'node:crypto'
import { Cluster, type Redis } from 'ioredis'
import { causesOf } from './error-causes.ts'
import { explain } from './redis.ts'

/** Redis answers but cannot store sessions. The message contains the fix. */
export class RedisUnfit extends Error {}

/** What the user of Redis may not do. */
export class RedisForbids extends Error {
  readonly missing: readonly string[]
  /** @param missing commands in capitals, and `the keys …` or `the channels …` */
  constructor(missing: readonly string[]) {
    super(`its user lacks permissions for ${missing.join(', ')}`)
    this.missing = missing
  }
}

/** Keys and channels of the gateway start with this. */
const PREFIX = 'portal:'
const FORBIDDEN_KEYS = `the keys ${PREFIX}*`
const FORBIDDEN_CHANNELS = `the channels ${PREFIX}*`

/** Redis's refusals of a user; EXEC and scripts repeat them within other messages. */
const FORBIDS = /NOPERM|can't run this command/
const UNKNOWN_COMMAND = /^ERR unknown command/
/** Answers to a command that the user may run: it only has the wrong node, type, key or order. */
const HARMLESS = /^(?:MOVED|ASK|WRONGTYPE|NOSCRIPT|ERR no such key|ERR EXEC without MULTI)/

const PROOF_MS = 5_000
const UNKNOWN_SCRIPT = '0'.repeat(40)

/**
 * One harmless call of each command that the gateway sends or that its scripts call. The test of the documented permissions
 * fails if one is missing here.
 * @param text an existing text, so that commands for other types change nothing
 * @param absent a key that does not exist
 */
const provenCommands = (text: string, absent: string): [command: string, ...args: (string | number)[]][] => [
  ['PING'],
  ['TIME'],
  ['GET', text],
  ['EXISTS', text],
  ['HGET', text, 'field'],
  ['HMGET', text, 'field'],
  ['HSET', text, 'field', 'value'],
  ['ZADD', text, 1, 'member'],
  ['ZREM', text, 'member'],
  ['ZSCORE', text, 'member'],
  ['ZCOUNT', text, 0, 1],
  ['ZREVRANGE', text, 0, 1],
  ['ZREMRANGEBYSCORE', text, 0, 1],
  // Also ends a text that HSET or ZADD created because SET was refused.
  ['EXPIRE', text, PROOF_MS / 1000],
  ['PEXPIRE', text, PROOF_MS],
  ['RENAME', absent, `${absent}:new`],
  ['DEL', absent],
  ['EVAL', 'return 1', 1, absent],
  ['EVALSHA', UNKNOWN_SCRIPT, 1, absent],
  ['EXEC'],
  ['PUBLISH', `${PREFIX}proof`, '']
]

/** Waits for all proofs, so that one error names everything that is missing. */
export async function allProven(...proofs: Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(proofs)
  const missing = new Set<string>()
  for (const result of results) {
    if (result.status === 'fulfilled') continue
    const forbids = causesOf(result.reason).find((cause) => cause instanceof RedisForbids)
    if (forbids === undefined) throw result.reason
    for (const part of forbids.missing) missing.add(part)
  }
  if (missing.size > 0) throw new RedisForbids([...missing].sort())
}

/** Rejects with the cause, with RedisForbids or with RedisUnfit. Leaves nothing behind. */
export const proveRedis = (redis: Redis | Cluster): Promise<void> => prove(redis).catch(explain(redis))

async function prove(redis: Redis | Cluster): Promise<void> {
  if (!(redis instanceof Cluster)) refuseWrongRole(await redis.info().catch(unlessForbidden('')))
  // The braces keep the keys in one slot of a Cluster.
  const text = `${PREFIX}{proof:${randomUUID()}}:text`
  const missing = new Set<string>()
  await redis.set(text, 'written', 'PX', PROOF_MS).catch(noteForbidden('SET', missing))
  // Each node of a Cluster has users of its own.
  const nodes = redis instanceof Cluster ? redis.nodes('master') : [redis]
  await Promise.all(nodes.map((node) => proveCommands(node, text, missing)))
  const value = await redis.getdel(text).catch(noteForbidden('GETDEL', missing))
  if (missing.size > 0) throw new RedisForbids([...missing].sort())
  if (value !== 'written') throw new RedisUnfit('it loses written values')
}

function refuseWrongRole(info: string): void {
  const fieldOf = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1]
  if (fieldOf('role') === 'slave')
    throw new RedisUnfit(
      `it is a read-only replica: set REDIS_URL to its primary, ${fieldOf('master_host')}:${fieldOf('master_port')}, or REDIS_SENTINELS`
    )
  if (fieldOf('cluster_enabled') === '1')
    throw new RedisUnfit('it is one node of a Cluster: set REDIS_CLUSTER instead of REDIS_URL')
}

async function proveCommands(node: Redis, text: string, missing: Set<string>): Promise<void> {
  const commands = provenCommands(text, `${text}:absent`)
  await Promise.all(
    commands.map(([command, ...args]) => node.call(command, ...args).catch(noteForbidden(command, missing)))
  )
  // A MULTI without EXEC would leave the connection in a transaction.
  if (!missing.has('EXEC')) await node.multi().exec().catch(noteRefusedMulti(missing))
}

/** Adds what Redis forbids to the missing permissions. Other errors are thrown unless they show that the command may run. */
function noteForbidden(command: string, missing: Set<string>): (error: Error) => void {
  return (error) => {
    const { message } = error
    if (UNKNOWN_COMMAND.test(message))
      throw new RedisUnfit(
        `it does not know the command ${command}: it must be Redis 6.2 or newer, without renamed commands`
      )
    if (FORBIDS.test(message)) missing.add(forbiddenPart(message) ?? command)
    else if (!HARMLESS.test(message)) throw error
  }
}

/** What is missing if Redis forbids a subscription; null for any other error. */
export function subscriptionRefusal({ message }: Error): RedisForbids | null {
  return FORBIDS.test(message) ? new RedisForbids([forbiddenPart(message) ?? 'SUBSCRIBE']) : null
}

/** EXEC alone is allowed here, so its failure is that of MULTI. */
function noteRefusedMulti(missing: Set<string>): (error: Error) => void {
  return (error) => {
    if (!FORBIDS.test(error.message) && !HARMLESS.test(error.message)) throw error
    missing.add('MULTI')
  }
}

/** The keys or channels that a refusal is about; undefined if it is about a command. */
function forbiddenPart(message: string): string | undefined {
  if (/\bchannels?\b/.test(message)) return FORBIDDEN_CHANNELS
  return /\bkeys?\b/.test(message) ? FORBIDDEN_KEYS : undefined
}

/** Returns `otherwise` if our user may not run INFO, which only explains a failure of the proof. */
function unlessForbidden<T>(otherwise: T): (error: Error) => T {
  return (error) => {
    if (FORBIDS.test(error.message)) return otherwise
    throw error
  }
}
