// The interface of a session store. Values are encrypted, so a store never sees plain text. Memory (one process, development)
// and Redis implement it and pass the same tests.
import type { Leases } from '../../types.ts'

/** A stored session. Times in milliseconds since 1970. */
export interface StoredSession extends LastUse {
  data: Buffer
  tokens: Buffer
  /** Increases with each change of the tokens. `replaceTokens` names the version that it replaces. */
  version: number
  /** Not encrypted, so not trusted: the encrypted `data` contains this time too. */
  createdAt: number
  /** A description that the person's other sessions can read. */
  about?: Buffer
}

/** The part of a session that can be read without its id. */
export type SessionSummary = Pick<StoredSession, 'about' | 'seenAt' | 'createdAt'>

export interface SessionEnd {
  /** Time during which a copy restored under the same key is not read. */
  markedMs: number
  /** The reason that `endOf` returns. */
  why?: string
  /** Keeps the encrypted record for `takeEnded` until the unused session would have expired. */
  keepRecord?: boolean
}

/** The time of a session's last use. */
export interface LastUse {
  seen: Buffer
  /** Not encrypted, so not trusted. */
  seenAt: number
}

/** Each call rejects within two seconds if the store cannot be reached. */
export interface SessionBackend extends Leases {
  /** Stores a new session under its key, and the key in each index. */
  create(key: string, session: StoredSession, ttlMs: number, indexes: readonly Index[]): Promise<void>
  /** Reads a session in one round trip, without a write. Returns the buffers of `known` if the session is unchanged. */
  read(key: string, known?: StoredSession): Promise<StoredSession | null>
  /** Extends a session if it still exists. */
  touch(key: string, lastUse: LastUse, ttlMs: number): Promise<void>
  /** Replaces the data of a session if it is still the expected data. */
  replaceData(key: string, expected: Buffer, data: Buffer): Promise<boolean>
  /** Replaces the tokens if the session still has that version: a slow call cannot restore old tokens. */
  replaceTokens(key: string, expectedVersion: number, tokens: Buffer): Promise<boolean>
  /** Ends sessions and takes them out of their indexes. Returns the keys of those that existed. */
  remove(keys: readonly string[], end: SessionEnd): Promise<string[]>
  /** The reason given to `remove`; null if `remove` did not end the session, or the mark has expired. */
  endOf(key: string): Promise<string | null>
  /** Reads and deletes the record of an ended session: a second call gets null. */
  takeEnded(key: string): Promise<StoredSession | null>
  /** The summaries of the sessions, in the order of the keys; null for a session that has ended. */
  summariesOf(keys: readonly string[]): Promise<(SessionSummary | null)[]>
  /** Number of sessions that have not ended at the given time, in milliseconds since 1970. */
  countLive(nowMs: number): Promise<number>
  /** The newest keys in an index, newest first. Some of their sessions may have expired. */
  keysOf(index: string, count: number): Promise<string[]>
  isIndexed(index: string, key: string): Promise<boolean>
  /** Takes keys out of an index. Their sessions must have ended. */
  leaveIndex(index: string, keys: readonly string[]): Promise<void>
  /** Stores a value under that name, replacing any earlier value. */
  remember(name: string, value: string, ttlMs: number): Promise<void>
  /** The value stored by `remember`; null if there is none. */
  recall(name: string): Promise<string | null>
  /** Reads and deletes the value: a second call gets null. */
  takeOnce(name: string): Promise<string | null>
  /** Rejects if the store does not answer, cannot store a session, or forbids what sessions need. */
  ping(): Promise<void>
  close(): Promise<void>
}

export interface Index {
  name: string
  ttlMs: number
}
