// Authenticates the gateway at the authority's endpoints with a shared secret or with a JWT signed by the gateway's private
// key (RFC 7523, section 2.2).
import { type ClientAuth, ClientSecretPost, type PrivateKey, PrivateKeyJwt } from 'openid-client'
import type { Config } from '../../config/settings.ts'
import type { ClientKey } from '../../config/values.ts'

const SIGNATURES: Record<ClientKey['algorithm'], { name: string; hash?: string; namedCurve?: string }> = {
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  ES256: { name: 'ECDSA', namedCurve: 'P-256' }
}

/** The configured way to authenticate. readConfig checks that its settings exist. */
export function clientAuthOf({
  OIDC_CLIENT_AUTH,
  OIDC_CLIENT_SECRET,
  OIDC_CLIENT_KEY,
  OIDC_CLIENT_KEY_ID
}: Config): ClientAuth {
  if (OIDC_CLIENT_AUTH === 'private_key_jwt') {
    if (OIDC_CLIENT_KEY === undefined) throw new Error('OIDC_CLIENT_KEY is missing')
    const { key, algorithm, id } = OIDC_CLIENT_KEY
    const kid = OIDC_CLIENT_KEY_ID ?? id
    // Node and the browser declare different types for the same key object.
    const signingKey = key.toCryptoKey(SIGNATURES[algorithm], false, ['sign']) as PrivateKey['key']
    return PrivateKeyJwt({ key: signingKey, ...(kid === undefined ? {} : { kid }) })
  }
  return OIDC_CLIENT_AUTH === 'post' ? ClientSecretPost(OIDC_CLIENT_SECRET) : basic(OIDC_CLIENT_SECRET)
}

/**
 * HTTP Basic (RFC 6749, section 2.3.1). Unlike openid-client, does not encode `-`, `.` and `_`, as appendix B requires, so that
 * most secrets also work with authorities that do not decode them.
 */
function basic(secret = ''): ClientAuth {
  return (_authority, { client_id }, _body, headers) => {
    const pair = [client_id, secret].map((text) => `${new URLSearchParams([['', text]])}`.slice(1))
    headers.set('authorization', `Basic ${btoa(pair.join(':'))}`)
  }
}
