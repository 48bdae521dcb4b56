// Checks the signature of an ID token and the rules of OpenID Connect Core, section 3.1.3.7, that openid-client does not check.
import { createHash } from 'node:crypto'
import type { Clock } from '../../types.ts'
import { TOLERANCE_SECONDS, type VerifyJwt } from './jwks.ts'

interface Options {
  clientId: string
  verify: VerifyJwt
  localClock: Clock
}

/** Throws for an invalid token. @param accessToken from the same answer */
export async function checkIdToken(
  idToken: string,
  accessToken: string,
  { clientId, verify, localClock }: Options
): Promise<void> {
  const { payload, protectedHeader } = await verify(idToken, {
    audience: clientId,
    clockTolerance: TOLERANCE_SECONDS,
    fromAuthority: true
  })
  const { sub, azp, iat = 0, at_hash } = payload
  if (Math.abs(localClock() / 1000 - iat) > TOLERANCE_SECONDS)
    throw Object.assign(new Error('the ID token was not issued within the last 10 minutes'), { claim: 'iat' })
  const { typ, alg } = protectedHeader
  const checks: [holds: boolean, otherwise: string][] = [
    [typ === undefined || typ.toLowerCase() === 'jwt', `a token of type ${typ} is not an ID token`],
    [sub !== '', 'the ID token has no subject'],
    [azp === undefined || azp === clientId, 'the ID token is for another client'],
    [
      at_hash === undefined || at_hash === leftHalfOfHash(accessToken, alg),
      'the ID token belongs to another access token'
    ]
  ]
  const failedCheck = checks.find(([holds]) => !holds)
  if (failedCheck) throw new Error(failedCheck[1])
}

/**
 * `at_hash` (OpenID Connect Core, section 3.1.3.6): the left half of the access token's hash, with the hash function of the
 * ID token's algorithm. Null for an algorithm without a known hash function.
 */
function leftHalfOfHash(accessToken: string, alg: string): string | null {
  const bits = alg === 'EdDSA' || alg === 'Ed25519' ? '512' : /^[REP]S(256|384|512)$/.exec(alg)?.[1]
  if (bits === undefined) return null
  const digest = createHash(`sha${bits}`).update(accessToken).digest()
  return digest.subarray(0, digest.length / 2).toString('base64url')
}
