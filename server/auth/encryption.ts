// Encrypts session records so that Redis cannot read them: AES-256-GCM with a key derived from a secret and the session's id,
// which only the cookie contains. Several secrets allow rotation: the newest encrypts, all of them decrypt.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes
} from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16
const KEY_ID_BYTES = 4
const HEAD_BYTES = KEY_ID_BYTES + IV_BYTES + TAG_BYTES

export type Encryption = ReturnType<typeof createEncryption>
export type OwnEncryption = ReturnType<Encryption['of']>

/** @param secrets newest first */
export function createEncryption(secrets: readonly string[]) {
  const entries = secrets.map((secret) => ({
    keyId: createHash('sha256').update(`portal key id\0${secret}`).digest().subarray(0, KEY_ID_BYTES),
    // A key object, because Node checks a plain buffer with exceptions, which take longer than the cipher.
    secret: createSecretKey(secret, 'utf8')
  }))
  const [newest] = entries
  if (!newest) throw new Error('encryption needs at least one secret')
  const keyOf = (secret: KeyObject, owner: string) =>
    createSecretKey(createHmac('sha256', secret).update(`portal seal\0${owner}`).digest())
  const entryOf = (encrypted: Buffer) =>
    entries.find(({ keyId }) => keyId.equals(encrypted.subarray(0, KEY_ID_BYTES)))

  return {
    /** Names for a value in the store, one per secret, newest first. The names do not reveal the value. */
    aliases: (value: string, purpose: string): string[] =>
      entries.map(({ secret }) =>
        createHmac('sha256', secret).update(`portal alias\0${purpose}\0${value}`).digest('base64url')
      ),
    /** Encrypts and decrypts for one owner, such as a session id. */
    of(owner: string) {
      // Caches one key: reading a session decrypts several fields, nearly always with the same secret.
      let cache: { secret: KeyObject; key: KeyObject } | undefined
      const keyFor = (secret: KeyObject) => {
        if (cache?.secret !== secret) cache = { secret, key: keyOf(secret, owner) }
        return cache.key
      }
      return {
        /**
         * `purpose` prevents one field from replacing another. Uses the secret of the ciphertext `sibling` if this secret is
         * known, so that a replica without the newest secret can still read both.
         */
        encrypt(plain: string, purpose: string, sibling?: Buffer): Buffer {
          const { keyId, secret } = (sibling && entryOf(sibling)) ?? newest
          const iv = randomBytes(IV_BYTES)
          const cipher = createCipheriv('aes-256-gcm', keyFor(secret), iv).setAAD(Buffer.from(purpose))
          const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
          return Buffer.concat([keyId, iv, cipher.getAuthTag(), body])
        },
        /** Null if the ciphertext belongs to another owner or purpose, was changed, or its secret was removed. */
        decrypt(encrypted: Buffer, purpose: string): string | null {
          const entry = entryOf(encrypted)
          if (!entry || encrypted.length < HEAD_BYTES) return null
          const iv = encrypted.subarray(KEY_ID_BYTES, KEY_ID_BYTES + IV_BYTES)
          const decipher = createDecipheriv('aes-256-gcm', keyFor(entry.secret), iv, {
            authTagLength: TAG_BYTES
          })
            .setAAD(Buffer.from(purpose))
            .setAuthTag(encrypted.subarray(KEY_ID_BYTES + IV_BYTES, HEAD_BYTES))
          try {
            const plain = decipher.update(encrypted.subarray(HEAD_BYTES))
            decipher.final()
            return plain.toString('utf8')
          } catch {
            return null
          }
        }
      }
    }
  }
}
