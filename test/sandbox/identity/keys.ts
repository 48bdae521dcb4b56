// The signing keys: the first one signs, all are published.
import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWKS } from 'oidc-provider'

const PUBLISHED = 2

export async function createSigningKeys() {
  let made = 0
  let keys: { kid: string; privateKey: KeyObject; publicKey: KeyObject }[] = []
  const rotate = async (): Promise<void> => {
    const pair = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
    keys = [{ ...pair, kid: made === 0 ? 'sandbox' : `sandbox-${made + 1}` }, ...keys].slice(0, PUBLISHED)
    made++
  }
  await rotate()
  const written = (part: 'privateKey' | 'publicKey'): JWKS => ({
    keys: keys.map((one) => ({
      ...one[part].export({ format: 'jwk' }),
      kid: one.kid,
      use: 'sig',
      alg: 'RS256'
    }))
  })
  return { all: () => written('privateKey'), published: () => written('publicKey'), rotate }
}
