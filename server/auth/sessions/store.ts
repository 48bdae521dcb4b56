// Sessions as the gateway knows them: who signed in, and with which tokens. Ids are filed hashed, contents encrypted
// (record.ts). When a session ends by time is decided here; that its cookie is valid, by @fastify/session (plugin.ts).
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { SessionState } from '#shared/entities.ts'
import type { CallerUser, Clock, Log } from '../../types.ts'
import type { Encryption } from '../encryption.ts'
import type { SessionBackend } from './backend.ts'
import type { Browser } from './browser.ts'
import { guardedBackend } from './guarded.ts'
import { createRecords, type Opened } from './record.ts'

export interface SessionData {
  user: CallerUser
  /** When the user was last read, and by which version of the tokens. */
  userRead?: { at: number; tokens: number }
  /** The authority's name for the person, and its own session, for sign-out from there. */
  subject: string
  authoritySessionId: string | null
  /** Of further sign-ins that this session stands for, the oldest first: kept to be revoked when it ends. */
  furtherRefresh?: readonly string[]
  /** Where the person signed in. */
  browser?: Browser
}

/** Times in milliseconds since 1970. */
export interface Tokens {
  access: string
  expiresAt: number
  issuedAt?: number
  /** From then on they are renewed, ahead of their expiry. */
  renewAt: number
  refresh: string | null
  idToken: string | null
}

export interface Session {
  readonly id: string
  readonly data: SessionData
  /** As it is stored: what a change of it names as the one that it replaces. */
  readonly encryptedData: Buffer
  readonly tokens: Tokens
  readonly version: number
  readonly createdAt: number
  readonly seenAt: number
}

/** What all sessions that end together have in common. */
type EndedBy = 'subject' | 'authoritySession'

/** Who ended a session, if it was not its own browser. */
export type EndedFrom = NonNullable<SessionState['ended']>

/** A session in the list of its person. Times in milliseconds since 1970. */
export interface PersonSession extends Browser {
  name: string
  createdAt: number
  seenAt: number
}

/** Lifetimes in seconds. */
export interface Lifetimes {
  idleSeconds: number
  absoluteSeconds: number
}

export interface SessionStore {
  create(id: string, data: SessionData, tokens: Tokens): Promise<Session>
  /** The session, or null when there is none any more. Throws a 503 problem when the store is away. */
  read(id: string): Promise<Session | null>
  /** Notes that the session was used, at most once in a while; null when that is noted already. */
  touch(session: Session): Promise<void> | null
  /** Prolongs the session by its idle time, now. */
  extend(session: Session): Promise<void>
  /** Replaces what the session was read with; false when it holds something else by now, or has ended. */
  replaceData(session: Session, data: SessionData): Promise<boolean>
  replaceTokens(session: Session, tokens: Tokens): Promise<boolean>
  remove(id: string): Promise<boolean>
  /** Ends all sessions of a person, or of one session at the authority, but the one of that name. */
  removeAll(by: EndedBy, value: string, from: EndedFrom, except?: string): Promise<number>
  /** Ends the one of that name, if it is the person's. */
  removeOne(subject: string, name: string, from: EndedFrom): Promise<boolean>
  /** Who ended the session; null when it ended by itself, or by its own browser. */
  whoEnded(id: string): Promise<EndedFrom | null>
  /** The sessions of a person, the last used first. */
  ofPerson(subject: string): Promise<PersonSession[]>
  /** A session as this process last read it: for its tokens, once it has ended. */
  lastRead(name: string): Session | undefined
  /**
   * Whether sessions like this one were ended, by `removeAll`, after its sign-in had begun: it may have been finishing
   * just then and was not among those that were removed.
   * @param begunAt milliseconds since 1970
   */
  hasEndedSince(data: SessionData, begunAt: number): Promise<boolean>
  /** Seconds until the session ends by itself, and whether no call prolongs that. */
  left(session: Session): { seconds: number; final: boolean }
  /** The name under which the session is filed, and its refresh leased. It opens nothing. */
  nameOf(id: string): string
  readonly backend: SessionBackend
}

/** An access token that ends sooner than this may not reach an upstream in time. */
export const TOKEN_USABLE_MS = 5_000

/** A session is noted as used at most once a minute: a plain read writes nothing. */
const TOUCH_EVERY_MS = 60_000

/** Longer than a sign-in may take. */
const ENDED_REMEMBERED_MS = 15 * 60_000

/** Bounds of the decrypted sessions in memory. */
const OPENED_MAX = 5_000
const OPENED_MAX_BYTES = 64 * 2 ** 20

const endedName = (alias: string) => `ended:${alias}`

/**
 * @param store its failures become 503 problems, here and by `backend`
 * @param onFailure gets what the store's own library threw
 */
export function createSessionStore(
  store: SessionBackend,
  encryption: Encryption,
  lifetimes: Lifetimes,
  clock: Clock,
  onFailure: (error: unknown) => void = () => {},
  log?: Log
): SessionStore {
  const backend = guardedBackend(store, onFailure, log)
  const records = createRecords(encryption)
  const idleMs = lifetimes.idleSeconds * 1000
  const absoluteMs = lifetimes.absoluteSeconds * 1000
  /** Used only while the store says that the session has not changed. */
  const known = new LRUCache<string, Opened>({
    max: OPENED_MAX,
    maxSize: OPENED_MAX_BYTES,
    // Twice the encrypted bytes: these, and the text.
    sizeCalculation: ({ stored: { data, tokens } }) => 2 * (data.length + tokens.length)
  })
  const touchEveryMs = Math.min(TOUCH_EVERY_MS, idleMs / 10)

  const keyOf = (id: string) => hash('sha256', id, 'base64url')
  const endsAt = (session: { createdAt: number; seenAt: number }) =>
    Math.min(session.seenAt + idleMs, session.createdAt + absoluteMs)

  function extend(session: Session): Promise<void> {
    const now = clock()
    const ttlMs = endsAt({ ...session, seenAt: now }) - now
    return backend.touch(keyOf(session.id), records.lastUse(session, now), ttlMs)
  }

  async function namesOf(by: EndedBy, value: string): Promise<string[]> {
    const found = await Promise.all(encryption.aliases(value, by).map((alias) => backend.keysOf(alias)))
    return [...new Set(found.flat())]
  }

  return {
    backend,
    extend,
    nameOf: keyOf,
    async create(id, data, tokens) {
      const now = clock()
      const stored = {
        data: records.data({ id }, data, now),
        tokens: records.tokens({ id }, tokens),
        version: 1,
        createdAt: now,
        about: records.about(data),
        ...records.lastUse({ id }, now)
      }
      const { subject, authoritySessionId } = data
      const [bySubject] = encryption.aliases(subject, 'subject')
      const [bySid] =
        authoritySessionId === null ? [] : encryption.aliases(authoritySessionId, 'authoritySession')
      const indexes = [bySubject ?? [], bySid ?? []].flat().map((name) => ({ name, ttlMs: absoluteMs }))
      await backend.create(keyOf(id), stored, Math.min(idleMs, absoluteMs), indexes)
      return { id, data, encryptedData: stored.data, tokens, version: 1, createdAt: now, seenAt: now }
    },
    async read(id) {
      const name = keyOf(id)
      const before = known.get(name)
      const stored = await backend.read(name, before?.stored)
      const opened = stored && records.open(id, stored, before)
      if (!opened || endsAt(opened.session) <= clock()) {
        known.delete(name)
        return null
      }
      if (opened !== before) known.set(name, opened)
      return opened.session
    },
    touch: (session) => (clock() - session.seenAt >= touchEveryMs ? extend(session) : null),
    replaceData: (session, data) =>
      backend.replaceData(
        keyOf(session.id),
        session.encryptedData,
        records.data(session, data, session.createdAt)
      ),
    replaceTokens: (session, tokens) =>
      backend.replaceTokens(keyOf(session.id), session.version, records.tokens(session, tokens)),
    remove(id) {
      known.delete(keyOf(id))
      return backend.remove(keyOf(id), absoluteMs)
    },
    async removeOne(subject, name, from) {
      const isOwn = (await namesOf('subject', subject)).includes(name)
      return isOwn && backend.remove(name, absoluteMs, from)
    },
    async whoEnded(id) {
      return ((await backend.endOf(keyOf(id))) || null) as EndedFrom | null
    },
    async ofPerson(subject) {
      const summaries = (await namesOf('subject', subject)).map(async (name) => {
        const summary = await backend.summaryOf(name)
        if (summary === null || endsAt(summary) <= clock()) return []
        const { createdAt, seenAt, about } = summary
        const browser = about ? records.openAbout(subject, about) : null
        return [{ browser: null, system: null, ...browser, name, createdAt, seenAt }]
      })
      return (await Promise.all(summaries)).flat().sort((a, b) => b.seenAt - a.seenAt)
    },
    lastRead: (name) => known.get(name)?.session,
    async hasEndedSince({ subject, authoritySessionId }, begunAt) {
      const endsOf = async (by: EndedBy, value: string) => {
        const kept = encryption.aliases(value, by).map((name) => backend.recall(endedName(name)))
        return (await Promise.all(kept)).filter((at) => at !== null).map(Number)
      }
      const ofSession =
        authoritySessionId === null ? [] : await endsOf('authoritySession', authoritySessionId)
      // Some authorities use the id of an ended session again, so only sign-ins that began before its end are refused.
      return [...(await endsOf('subject', subject)), ...ofSession].some((at) => at > begunAt)
    },
    async removeAll(by, value, from, except) {
      // Remembered before they are looked for: a sign-in that files one later asks after that.
      const now = String(clock())
      const aliases = encryption.aliases(value, by)
      await Promise.all(aliases.map((alias) => backend.remember(endedName(alias), now, ENDED_REMEMBERED_MS)))
      const names = (await namesOf(by, value)).filter((name) => name !== except)
      const ended = await Promise.all(names.map((name) => backend.remove(name, absoluteMs, from)))
      return ended.filter(Boolean).length
    },
    left(session) {
      const { expiresAt, refresh } = session.tokens
      const tokenEnd = refresh === null ? expiresAt - TOKEN_USABLE_MS : Number.POSITIVE_INFINITY
      const lastEnd = Math.min(session.createdAt + absoluteMs, tokenEnd)
      const end = Math.min(session.seenAt + idleMs, lastEnd)
      return { seconds: Math.max(0, Math.ceil((end - clock()) / 1000)), final: end === lastEnd }
    }
  }
}
