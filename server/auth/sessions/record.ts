// Encrypts and decrypts stored sessions: data with the time of sign-in, tokens, and the time of last use. The key depends on
// the session's id, so that someone who can write to the store can neither extend a session nor mix two of them.
import type { Encryption, OwnEncryption } from '../encryption.ts'
import type { LastUse, StoredSession } from './backend.ts'
import type { Browser } from './browser.ts'
import type { Session, SessionData, Tokens } from './store.ts'

/** The session of a record. A changed record uses the same secret as the record that was read. */
type RecordOwner = Pick<Session, 'id'> & Partial<Pick<Session, 'encryptedData'>>

/** A session and the record that contains it. */
export interface Decrypted {
  session: Session
  stored: StoredSession
}

const personOf = (subject: string) => `person ${subject}`

export type Records = ReturnType<typeof createRecords>

/** Times in milliseconds since 1970. */
export function createRecords(encryption: Encryption) {
  const encrypt = (owner: RecordOwner, field: 'data' | 'tokens' | 'seen', value: object | number) =>
    encryption.of(owner.id).encrypt(JSON.stringify(value), field, owner.encryptedData)

  return {
    data: (owner: RecordOwner, data: SessionData, createdAt: number): Buffer =>
      encrypt(owner, 'data', { ...data, createdAt }),
    tokens: (owner: RecordOwner, tokens: Tokens): Buffer => encrypt(owner, 'tokens', tokens),
    lastUse: (owner: RecordOwner, seenAt: number): LastUse => ({
      seen: encrypt(owner, 'seen', seenAt),
      seenAt
    }),
    /** The encrypted description, readable with the person's other sessions. */
    about: ({ subject, browser }: SessionData): Buffer =>
      encryption.of(personOf(subject)).encrypt(JSON.stringify(browser ?? null), 'about'),
    /** Returns a function that decrypts descriptions; null for one whose secret was removed, or that is missing or belongs to another person. */
    aboutReader(subject: string): (about: Buffer | undefined) => Browser | null {
      const cipher = encryption.of(personOf(subject))
      return (about) => JSON.parse((about && cipher.decrypt(about, 'about')) ?? 'null')
    },
    /**
     * The decrypted session; null if its secret was removed, or it was changed or belongs to another session.
     * @param known the result of an earlier call; unchanged fields are not decrypted again
     */
    decrypt(id: string, stored: StoredSession, known?: Decrypted): Decrypted | null {
      const isUnchanged = known?.stored.data === stored.data && known.stored.version === stored.version
      if (isUnchanged && known.stored.seen.equals(stored.seen)) return known
      const cipher = encryption.of(id)
      const decrypted = isUnchanged ? known : decryptAll(cipher, id, stored)
      const seenAt = cipher.decrypt(stored.seen, 'seen')
      if (decrypted === null || seenAt === null) return null
      return { ...decrypted, stored, session: { ...decrypted.session, seenAt: Number(seenAt) } }
    }
  }

  function decryptAll(cipher: OwnEncryption, id: string, stored: StoredSession): Decrypted | null {
    const plainData = cipher.decrypt(stored.data, 'data')
    const plainTokens = cipher.decrypt(stored.tokens, 'tokens')
    if (plainData === null || plainTokens === null) return null
    const { createdAt, ...data } = JSON.parse(plainData) as SessionData & { createdAt: number }
    const { data: encryptedData, version, seenAt } = stored
    return {
      stored,
      session: { id, data, encryptedData, tokens: JSON.parse(plainTokens), version, createdAt, seenAt }
    }
  }
}
