// What Redis holds is unreadable without the cookie: AES-256-GCM under a key made of a secret and the session's id,
// which only the cookie carries. Several secrets allow rotation: the newest seals, all of them open.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  randomBytes
} from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16
const KEY_ID_BYTES = 4
const HEAD_BYTES = KEY_ID_BYTES + IV_BYTES + TAG_BYTES

export interface Sealer {
  /** Seals text for the holder of `owner`; `purpose` keeps one field from being put in another's place. */
  seal(plain: string, owner: string, purpose: string): Buffer
  /** Opens what `seal` made under any of the secrets; null when it is not ours, was changed or its secret is gone. */
  open(sealed: Buffer, owner: string, purpose: string): string | null
  /** Whether it says to be sealed under one of the secrets; told without opening it. */
  isOurs(sealed: Buffer): boolean
  /** Names under which something is filed, newest secret first: they tell nothing of `value`. */
  aliases(value: string, purpose: string): string[]
}

export function createSealer(secrets: readonly string[]): Sealer {
  const keys = secrets.map((secret) => ({
    keyId: createHash('sha256').update(`portal key id\0${secret}`).digest().subarray(0, KEY_ID_BYTES),
    // As an object: ciphers find out what a bare buffer is by way of exceptions, which cost more than the deciphering.
    of: (owner: string) =>
      createSecretKey(createHmac('sha256', secret).update(`portal seal\0${owner}`).digest()),
    alias: (value: string, purpose: string) =>
      createHmac('sha256', secret).update(`portal alias\0${purpose}\0${value}`).digest('base64url')
  }))
  const [newest] = keys
  if (!newest) throw new Error('a sealer needs at least one secret')

  const keyOf = (sealed: Buffer) => keys.find(({ keyId }) => keyId.equals(sealed.subarray(0, KEY_ID_BYTES)))

  return {
    isOurs: (sealed) => keyOf(sealed) !== undefined,
    seal(plain, owner, purpose) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', newest.of(owner), iv).setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([newest.keyId, iv, cipher.getAuthTag(), body])
    },
    open(sealed, owner, purpose) {
      const key = keyOf(sealed)
      if (!key || sealed.length < HEAD_BYTES) return null
      const iv = sealed.subarray(KEY_ID_BYTES, KEY_ID_BYTES + IV_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key.of(owner), iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(KEY_ID_BYTES + IV_BYTES, HEAD_BYTES))
      try {
        const plain = decipher.update(sealed.subarray(HEAD_BYTES))
        decipher.final()
        return plain.toString('utf8')
      } catch {
        return null
      }
    },
    aliases: (value, purpose) => keys.map((key) => key.alias(value, purpose))
  }
}
