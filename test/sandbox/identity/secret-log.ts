// Collects tokens, codes, verifiers and subjects, so that a test can search logs and answers for them.
import type Provider from 'oidc-provider'

export interface Secret {
  name: string
  value: string
}

export interface SecretLog {
  add: (fields: Record<string, unknown>) => void
  list: () => Secret[]
}

const FIELDS: Record<string, string> = {
  access_token: 'an access token',
  refresh_token: 'a refresh token',
  id_token: 'an ID token',
  logout_token: 'a logout token',
  code: 'a code',
  code_verifier: 'a verifier',
  code_challenge: 'a challenge',
  state: 'a state',
  nonce: 'a nonce',
  client_secret: 'a client secret',
  sub: 'a subject',
  sid: 'a session at the authority',
  jti: 'the id of a token'
}

export function createSecretLog(): SecretLog {
  const namesByValue = new Map<string, string>()
  const add = (fields: Record<string, unknown>): void => {
    for (const [field, value] of Object.entries(fields)) {
      const name = FIELDS[field]
      if (name === undefined || typeof value !== 'string' || value === '' || namesByValue.has(value)) continue
      namesByValue.set(value, name)
      const [, claims, signature] = value.split('.')
      if (claims === undefined || signature === undefined) continue
      namesByValue.set(claims, `the claims of ${name}`)
      if (signature !== '') namesByValue.set(signature, `the signature of ${name}`)
      add(claimsOf(claims))
    }
  }
  return { add, list: () => [...namesByValue].map(([value, name]) => ({ name, value })) }
}

/** Adds the secrets of all requests to the provider and of its answers. */
export function logSecrets(provider: Provider, { add }: SecretLog): void {
  provider.use(async (ctx, next) => {
    await next()
    // The provider has already read the form or the query.
    add((ctx as { oidc?: { params?: Record<string, unknown> } }).oidc?.params ?? {})
    if (ctx.path === '/token' && typeof ctx.body === 'object') add(ctx.body as Record<string, unknown>)
    const redirect = URL.parse(ctx.response.get('location'), 'http://localhost')
    if (redirect) add(Object.fromEntries(redirect.searchParams))
  })
}

function claimsOf(part: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return {}
  }
}
