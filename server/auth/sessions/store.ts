// Stores sessions: the person and their tokens. Ids are hashed, contents encrypted (record.ts). Decides when a session
// expires. plugin.ts checks the cookie.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { SessionState } from '#shared/answers/session.ts'
import type { CallerUser, Clock, Log } from '../../types.ts'
import type { Encryption } from '../encryption.ts'
import type { SessionBackend } from './backend.ts'
import type { Browser } from './browser.ts'
import { guardedBackend } from './guarded.ts'
import { createPersonSessions } from './person-sessions.ts'
import { createRecords, type Decrypted } from './record.ts'

export interface SessionData {
  user: CallerUser
  /** The time of the last read of the user, and the version of the tokens used for it. */
  userRead?: { at: number; tokens: number }
  /** The authority's ids of the person and the session, for back-channel logout. */
  subject: string
  authoritySessionId: string | null
  /** Refresh tokens of further sign-ins that share this session, oldest first. They are revoked when the session ends. */
  furtherRefresh?: readonly string[]
  /** The browser that signed in. */
  browser?: Browser
}

/** Times in milliseconds since 1970. */
export interface Tokens {
  access: string
  expiresAt: number
  issuedAt?: number
  /** The tokens are renewed from this time on, ahead of their expiry. */
  renewAt: number
  refresh: string | null
  idToken: string | null
}

export interface Session {
  readonly id: string
  readonly data: SessionData
  /** The stored data, with which `replaceData` checks that the data has not changed. */
  readonly encryptedData: Buffer
  readonly tokens: Tokens
  readonly version: number
  readonly createdAt: number
  readonly seenAt: number
}

/** The cause of a session's end, unless its own browser ended it. */
export type EndedFrom = NonNullable<SessionState['ended']>

export type SessionStore = ReturnType<typeof createSessionStore>

/** An access token that expires within this time may do so on its way to an upstream. */
export const TOKEN_USABLE_MS = 5_000

/** The last use of a session is written at most once a minute. */
const TOUCH_EVERY_MS = 60_000

/** Bounds of the decrypted sessions in memory. */
const DECRYPTED_MAX = 5_000
const DECRYPTED_MAX_BYTES = 64 * 2 ** 20

/**
 * Each call throws a 503 problem if the store fails. A session's name is the hash of its id and gives no access.
 * @param onFailure receives the error of the store's own library
 */
export function createSessionStore(
  store: SessionBackend,
  encryption: Encryption,
  lifetimes: { idleSeconds: number; absoluteSeconds: number },
  clock: Clock,
  onFailure: (error: unknown) => void = () => {},
  log?: Log
) {
  const guarded = guardedBackend(store, onFailure, log)
  const endListeners: ((names: readonly string[]) => void)[] = []
  const backend: SessionBackend = {
    ...guarded,
    async remove(keys, end) {
      const ended = await guarded.remove(keys, end)
      for (const listener of endListeners) listener(ended)
      return ended
    }
  }
  const records = createRecords(encryption)
  const idleMs = lifetimes.idleSeconds * 1000
  const absoluteMs = lifetimes.absoluteSeconds * 1000
  /** Decrypted sessions by name. Used only while the session in the store is unchanged. */
  const decryptedSessions = new LRUCache<string, Decrypted>({
    max: DECRYPTED_MAX,
    maxSize: DECRYPTED_MAX_BYTES,
    // Counts the encrypted bytes and the decrypted text.
    sizeCalculation: ({ stored: { data, tokens } }) => 2 * (data.length + tokens.length)
  })

  const keyOf = (id: string) => hash('sha256', id, 'base64url')
  /** Counts a time from the future as now, so that no session seems to last longer than its limits. */
  const notInFuture = (time: number) => Math.min(time, clock())
  const endsAt = (session: { createdAt: number; seenAt: number }) =>
    Math.min(notInFuture(session.seenAt) + idleMs, notInFuture(session.createdAt) + absoluteMs)

  /** The indexes of a new session: by its person and, if the authority named it, by its session there. */
  function indexNames({ subject, authoritySessionId }: SessionData): string[] {
    const names = encryption.aliases(subject, 'subject').slice(0, 1)
    if (authoritySessionId !== null)
      names.push(...encryption.aliases(authoritySessionId, 'authoritySession').slice(0, 1))
    return names
  }

  /** Lets the session last for its idle time from now. */
  function extend(session: Session): Promise<void> {
    const now = clock()
    const ttlMs = endsAt({ ...session, seenAt: now }) - now
    return backend.touch(keyOf(session.id), records.lastUse(session, now), ttlMs)
  }

  return {
    ...createPersonSessions({ backend, encryption, records, clock, endsAt, absoluteMs }),
    backend,
    /** Receives the names of the sessions that this replica ends before they expire. */
    onEnd: (listener: (names: readonly string[]) => void): void => void endListeners.push(listener),
    extend,
    /** The key of the session and of its refresh lease. */
    nameOf: keyOf,
    async create(id: string, data: SessionData, tokens: Tokens): Promise<Session> {
      const now = clock()
      const stored = {
        data: records.data({ id }, data, now),
        tokens: records.tokens({ id }, tokens),
        version: 1,
        createdAt: now,
        about: records.about(data),
        ...records.lastUse({ id }, now)
      }
      const indexes = indexNames(data).map((name) => ({ name, ttlMs: absoluteMs }))
      await backend.create(keyOf(id), stored, Math.min(idleMs, absoluteMs), indexes)
      return { id, data, encryptedData: stored.data, tokens, version: 1, createdAt: now, seenAt: now }
    },
    /** The session; null if it has ended. */
    async read(id: string): Promise<Session | null> {
      const name = keyOf(id)
      const cached = decryptedSessions.get(name)
      const stored = await backend.read(name, cached?.stored)
      const decrypted = stored && records.decrypt(id, stored, cached)
      if (!decrypted || endsAt(decrypted.session) <= clock()) {
        decryptedSessions.delete(name)
        return null
      }
      if (decrypted !== cached) decryptedSessions.set(name, decrypted)
      return decrypted.session
    },
    /** Writes the session's last use; null if it was written recently. */
    touch: (session: Session): Promise<void> | null =>
      Math.abs(clock() - session.seenAt) >= Math.min(TOUCH_EVERY_MS, idleMs / 10) ? extend(session) : null,
    /** Replaces the data that was read; false if it has changed meanwhile or the session has ended. */
    replaceData: (session: Session, data: SessionData): Promise<boolean> =>
      backend.replaceData(
        keyOf(session.id),
        session.encryptedData,
        records.data(session, data, session.createdAt)
      ),
    replaceTokens: (session: Session, tokens: Tokens): Promise<boolean> =>
      backend.replaceTokens(keyOf(session.id), session.version, records.tokens(session, tokens)),
    async remove(id: string): Promise<boolean> {
      decryptedSessions.delete(keyOf(id))
      return (await backend.remove([keyOf(id)], { markedMs: absoluteMs })).length > 0
    },
    /** The cause of the end; null if the session expired or its own browser ended it. */
    async whoEnded(id: string): Promise<EndedFrom | null> {
      return ((await backend.endOf(keyOf(id))) || null) as EndedFrom | null
    },
    /** A session that another browser ended. Only its id decrypts the record; a second call gets null. */
    async takeEnded(id: string): Promise<Session | null> {
      const stored = await backend.takeEnded(keyOf(id))
      return (stored && records.decrypt(id, stored)?.session) ?? null
    },
    /** The id of a session that this process has in memory. */
    knownId: (name: string): string | undefined => decryptedSessions.get(name)?.session.id,
    /** Seconds until the session expires, and whether it can no longer be extended. */
    timeLeft(session: Session): { seconds: number; final: boolean } {
      const { expiresAt, refresh } = session.tokens
      const tokenEnd = refresh === null ? expiresAt - TOKEN_USABLE_MS : Number.POSITIVE_INFINITY
      const lastEnd = Math.min(notInFuture(session.createdAt) + absoluteMs, tokenEnd)
      const end = Math.min(notInFuture(session.seenAt) + idleMs, lastEnd)
      return { seconds: Math.max(0, Math.ceil((end - clock()) / 1000)), final: end === lastEnd }
    }
  }
}
