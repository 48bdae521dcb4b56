// What a stored session consists of: its data with the time of its sign-in, its tokens, and the time of its last use. Each is
// encrypted under the session's id, so that a writer to the store can neither extend a session nor mix two of them.
// When a session ends is decided in store.ts.
import { problems } from '../../errors.ts'
import type { Encryption, OwnEncryption } from '../encryption.ts'
import type { LastUse, StoredSession } from './backend.ts'
import type { Browser } from './browser.ts'
import type { Session, SessionData, Tokens } from './store.ts'

/** The cause of the problem for a record of ours that is not this session's. */
export class UnreadableRecord extends Error {}

/** Whose record it is. What is written to one that was read is encrypted under the secret that it had. */
type Owner = Pick<Session, 'id'> & Partial<Pick<Session, 'encryptedData'>>

export interface Opened {
  session: Session
  stored: StoredSession
}

const personOf = (subject: string) => `person ${subject}`

export type Records = ReturnType<typeof createRecords>

/** Times in milliseconds since 1970. */
export function createRecords(encryption: Encryption) {
  const encrypt = (owner: Owner, field: 'data' | 'tokens' | 'seen', value: object | number) =>
    encryption.of(owner.id).encrypt(JSON.stringify(value), field, owner.encryptedData)

  /** That of a rotated secret is no session; what was changed or moved is trouble, which ends nobody's session. */
  function unreadable(...fields: Buffer[]): null {
    if (!fields.every(encryption.isOurs)) return null
    throw problems.storeUnavailable(new UnreadableRecord('a record of another session'))
  }

  return {
    data: (owner: Owner, data: SessionData, createdAt: number): Buffer =>
      encrypt(owner, 'data', { ...data, createdAt }),
    tokens: (owner: Owner, tokens: Tokens): Buffer => encrypt(owner, 'tokens', tokens),
    lastUse: (owner: Owner, seenAt: number): LastUse => ({ seen: encrypt(owner, 'seen', seenAt), seenAt }),
    /** What all sessions of its person can read of it. */
    about: ({ subject, browser }: SessionData): Buffer =>
      encryption.of(personOf(subject)).encrypt(JSON.stringify(browser ?? null), 'about'),
    /** Null when its secret is gone, or it is not of this person. */
    openAbout: (subject: string, about: Buffer): Browser | null =>
      JSON.parse(encryption.of(personOf(subject)).decrypt(about, 'about') ?? 'null'),
    /**
     * Null when its secret is gone. Throws a 503 problem, caused by `UnreadableRecord`, for one that is not this session's.
     * @param known what was opened before: not decrypted again where it is the same
     */
    open(id: string, stored: StoredSession, known?: Opened): Opened | null {
      const same = known?.stored.data === stored.data && known.stored.version === stored.version
      if (same && known.stored.seen.equals(stored.seen)) return known
      const own = encryption.of(id)
      const opened = same ? known : openAll(own, id, stored)
      if (opened === null) return null
      const seenAt = own.decrypt(stored.seen, 'seen')
      if (seenAt === null) return unreadable(stored.seen)
      return { ...opened, stored, session: { ...opened.session, seenAt: Number(seenAt) } }
    }
  }

  function openAll(own: OwnEncryption, id: string, stored: StoredSession): Opened | null {
    const plainData = own.decrypt(stored.data, 'data')
    const plainTokens = own.decrypt(stored.tokens, 'tokens')
    if (plainData === null || plainTokens === null) return unreadable(stored.data, stored.tokens)
    const { createdAt, ...data } = JSON.parse(plainData) as SessionData & { createdAt: number }
    const { data: encryptedData, version, seenAt } = stored
    return {
      stored,
      session: { id, data, encryptedData, tokens: JSON.parse(plainTokens), version, createdAt, seenAt }
    }
  }
}
