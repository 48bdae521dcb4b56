// What a session store must be able to do, in the words of a key-value server. Values are encrypted: a backend
// sees no plain text. Two of them pass one contract suite: memory (one process, development) and Redis.

/** A stored session. Times in milliseconds since 1970. */
export interface StoredSession extends LastUse {
  data: Buffer
  tokens: Buffer
  /** Grows with every change of the tokens; a change names the version that it replaces. */
  version: number
  /** In clear, not proven; `data` has it as well. */
  createdAt: number
  /** What the person's other sessions may tell of this one. */
  about?: Buffer
}

/** What is known of a session without its id; `seenAt` is not proven. */
export type SessionSummary = Pick<StoredSession, 'about' | 'seenAt' | 'createdAt'>

/** When a session was last used. */
export interface LastUse {
  seen: Buffer
  /** In clear, not proven. */
  seenAt: number
}

/** Every call rejects when the store cannot be reached; none waits longer than a second. */
export interface SessionBackend {
  /** Files a new session under its key and under each index. */
  create(key: string, session: StoredSession, ttlMs: number, indexes: readonly Index[]): Promise<void>
  /** One round trip, no write. While the session is the same as `known`, its buffers are returned and not read again. */
  read(key: string, known?: StoredSession): Promise<StoredSession | null>
  /** Prolongs a session that is still there. */
  touch(key: string, lastUse: LastUse, ttlMs: number): Promise<void>
  /** Replaces the data of a session that still holds those. */
  replaceData(key: string, expected: Buffer, data: Buffer): Promise<boolean>
  /** Replaces the tokens if the session is still there with that version: nothing slow can restore old ones. */
  replaceTokens(key: string, expectedVersion: number, tokens: Buffer): Promise<boolean>
  /**
   * Ends a session; true when it was there. For so long, a copy that is put back under its key is not read.
   * @param why a word for `endOf`
   */
  remove(key: string, markedMs: number, why?: string): Promise<boolean>
  /** The word with which a session was ended; null when nobody ended it, or that is not known any more. */
  endOf(key: string): Promise<string | null>
  summaryOf(key: string): Promise<SessionSummary | null>
  /** How many have not ended at that time, in milliseconds since 1970. */
  countLive(nowMs: number): Promise<number>
  /** The keys filed under an index; some may have ended since. */
  keysOf(index: string): Promise<string[]>
  /** Takes the right to refresh for `ms`, unless another holds it. */
  takeLease(key: string, owner: string, ms: number): Promise<boolean>
  /** Keeps it for `ms` more, if it is still held. */
  renewLease(key: string, owner: string, ms: number): Promise<boolean>
  releaseLease(key: string, owner: string): Promise<void>
  /** Keeps a value for one later `takeOnce`; false when the name is in use. */
  putOnce(name: string, value: string, ttlMs: number): Promise<boolean>
  /** Keeps a value under that name in the place of any other. */
  remember(name: string, value: string, ttlMs: number): Promise<void>
  /** What is kept under that name, by `remember` or `putOnce`; it stays. Null when there is nothing. */
  recall(name: string): Promise<string | null>
  /** Reads and forgets it: a second call gets null. */
  takeOnce(name: string): Promise<string | null>
  /** Rejects when the store does not answer, or could not keep a session. */
  ping(): Promise<void>
  close(): Promise<void>
}

export interface Index {
  name: string
  ttlMs: number
}
