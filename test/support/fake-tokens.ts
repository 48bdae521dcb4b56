// Keys, claims and signatures of the fake authority; a test can forge each part of a token.
import {
  createHmac,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID
} from 'node:crypto'

export type Json = Record<string, unknown>

export interface SigningKey {
  kid: string
  privateKey: KeyObject
  publicKey: KeyObject
}

export interface Forgery {
  header?: Json
  key?: SigningKey
  /** `none` and `empty` do not sign; `public-key` signs HS256 with the public key. */
  signature?: 'none' | 'empty' | 'public-key' | 'garbled'
}

export const CLIENT = { id: 'portal', secret: 'a fake secret: with +/%&? signs' }
export const ACCESS_SECONDS = 300
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

export const seconds = (): number => Math.floor(Date.now() / 1000)
export const random = (): string => randomBytes(16).toString('base64url')
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export function newKey(): SigningKey {
  return { kid: random(), ...generateKeyPairSync('rsa', { modulusLength: 2048 }) }
}
export const KEY = newKey()

/** Merges objects and removes undefined fields. */
export const merged = (...parts: (Json | undefined)[]): Json =>
  Object.fromEntries(Object.entries(Object.assign({}, ...parts)).filter(([, value]) => value !== undefined))

export function signed(ownKey: SigningKey | undefined, claims: Json, forgery: Forgery = {}): string {
  const { header, key = ownKey, signature } = forgery
  if (!key) throw new Error('the authority has no signing key')
  const input = `${encode(merged({ alg: 'RS256', kid: key.kid, typ: 'JWT' }, header))}.${encode(claims)}`
  if (signature === 'none' || signature === 'empty') return `${input}.`
  if (signature === 'garbled') return `${input}.${random()}`
  if (signature === 'public-key') {
    const pem = key.publicKey.export({ type: 'spki', format: 'pem' })
    return `${input}.${createHmac('sha256', pem).update(input).digest('base64url')}`
  }
  return `${input}.${createSign('sha256').update(input).sign(key.privateKey, 'base64url')}`
}

export const typed = (typ: string, { header, ...forgery }: Forgery = {}): Forgery => ({
  header: { typ, ...header },
  ...forgery
})

export const accessClaims = (issuer: string, audience: string): Json => ({
  iss: issuer,
  aud: audience,
  sub: 'u-1',
  client_id: 'a-service',
  scope: 'ncp:read ncp:write',
  iat: seconds(),
  exp: seconds() + ACCESS_SECONDS,
  jti: randomUUID()
})

export const logoutClaims = (issuer: string): Json => ({
  iss: issuer,
  aud: CLIENT.id,
  iat: seconds(),
  exp: seconds() + 120,
  jti: randomUUID(),
  events: { [EVENT]: {} }
})
