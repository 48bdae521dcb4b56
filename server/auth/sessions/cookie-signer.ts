// Signs session ids for the cookie. An id names its secret and is always signed with it, so that a rotation of secrets
// changes no cookie: @fastify/session clears a cookie that it would sign differently.
import { createHash, randomBytes } from 'node:crypto'
import { Signer } from '@fastify/cookie'

const ID_BYTES = 32
const KEY_CHARACTERS = 6

/** @param secrets newest first */
export function createCookieSigner(secrets: readonly string[]) {
  const signers = new Map(secrets.map((secret) => [nameOf(secret), new Signer(secret)]))
  const [newestName = ''] = signers.keys()
  const signerOf = (text: string) => signers.get(text.slice(0, KEY_CHARACTERS))
  return {
    /** Returns the name of the newest secret and 256 random bits. */
    newId: () => newestName + randomBytes(ID_BYTES).toString('base64url'),
    sign: (id: string) => signerOf(id)?.sign(id) ?? '',
    /** Accepts cookies that `sign` made with any of the secrets. */
    unsign: (cookie: string) =>
      signerOf(cookie)?.unsign(cookie) ?? { valid: false, renew: false, value: null }
  }
}

function nameOf(secret: string): string {
  return createHash('sha256')
    .update(`portal cookie key\0${secret}`)
    .digest('base64url')
    .slice(0, KEY_CHARACTERS)
}
