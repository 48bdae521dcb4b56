// Client authentication: private_key_jwt at a provider that has only the public key, and Basic.
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import t from 'tap'
import { signIn, startPortal } from '#test/support/portal.ts'
import { eventually } from '../../../support/eventually.ts'
import { callWith, signInWith, startFakeAuthority } from '../../../support/fake-authority.ts'
import { CLIENT } from '../../../support/fake-tokens.ts'
import { openSandbox } from '../../../support/scenes/gateway.ts'

const ME = '/api/v2/management/myUser'
const KEYS: [name: string, algorithm: string, pair: { publicKey: KeyObject; privateKey: KeyObject }][] = [
  ['RSA', 'RS256', generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ['EC on P-256', 'ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' })]
]
const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const envWith = (key: string) => ({
  OIDC_CLIENT_AUTH: 'private_key_jwt',
  OIDC_CLIENT_KEY: key,
  OIDC_CLIENT_SECRET: ''
})

t.test('refuses sign-ins with a key that the authority does not know', async (t) => {
  const [knownPair, otherPair] = [KEYS[0]?.[2], generateKeyPairSync('rsa', { modulusLength: 2048 })]
  const jwk = { ...knownPair?.publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }
  const sandbox = await openSandbox(t, { authority: { clientKeys: [jwk] } })
  const portal = await startPortal(t, { startedSandbox: sandbox, env: envWith(pemOf(otherPair.privateKey)) })
  await t.rejects(signIn(portal.url, sandbox, 'customer.user'), /signin-failed/)
})

for (const [name, algorithm, { publicKey, privateKey }] of KEYS) {
  t.test(`signs in, refreshes and signs out with a key of type ${name}`, async (t) => {
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: algorithm, use: 'sig' }
    const sandbox = await openSandbox(t, { authority: { clientKeys: [jwk] }, accessTokenSeconds: 3600 })
    const env = { ...envWith(pemOf(privateKey)), OIDC_CLIENT_KEY_ID: 'one' }
    let aheadMs = 0
    const clock = () => Date.now() + aheadMs
    const portal = await startPortal(t, { startedSandbox: sandbox, env, clock })
    const person = await signIn(portal.url, sandbox, 'customer.user')
    t.equal((await person.call(ME)).status, 200)
    aheadMs = 30_000
    sandbox.refuseIssuedAccessTokens()
    t.equal((await person.call(ME)).status, 200, 'refreshes the tokens')
    t.equal((await person.call('/auth/logout', { method: 'POST' })).status, 200)
    t.equal((await person.call(ME)).status, 401)
  })
}

t.test('each assertion is signed, short-lived, for this authority, and sent once', async (t) => {
  const fake = await startFakeAuthority(t)
  const [, , pair] = KEYS[1] ?? []
  if (!pair) throw new Error('there is no key')
  const jwk = JSON.stringify({ ...pair.privateKey.export({ format: 'jwk' }), kid: 'the-key' })
  const portal = await startPortal(t, { env: { ...fake.env, ...envWith(jwk) } })
  const cookies = [await signInWith(fake, portal.url, 'u-1'), await signInWith(fake, portal.url, 'u-2')]
  for (const cookie of cookies) await callWith(cookie, portal.url, '/auth/logout', { method: 'POST' })
  const clientCalls = () => fake.asked.filter(({ endpoint }) => endpoint === 'token' || endpoint === 'revoke')
  // Tokens are revoked after the answer to a logout.
  await eventually(() => clientCalls().length >= 4)
  const calls = clientCalls()
  const ids = new Set<unknown>()
  for (const { form, authorization } of calls) {
    t.equal(authorization, undefined)
    t.equal(form.get('client_secret'), null)
    t.equal(form.get('client_assertion_type'), 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
    const proof = form.get('client_assertion') ?? ''
    await jwtVerify(proof, pair.publicKey, { issuer: 'portal', subject: 'portal' })
    t.match(decodeProtectedHeader(proof), { alg: 'ES256', kid: 'the-key' })
    const { aud, exp = 0, iat = 0, jti } = decodeJwt(proof)
    t.ok([aud].flat().some((value) => value?.startsWith(fake.issuer)))
    t.ok(exp - iat <= 120)
    t.notOk(ids.has(jti))
    ids.add(jti)
  }
})

t.test('encodes the secret as a form value in Basic authentication', async (t) => {
  const fake = await startFakeAuthority(t)
  for (const [secret, sentAs] of [
    ['Az09-._', 'Az09-._'],
    [CLIENT.secret, 'a+fake+secret%3A+with+%2B%2F%25%26%3F+signs']
  ] as const) {
    fake.reset()
    const portal = await startPortal(t, { env: { ...fake.env, OIDC_CLIENT_SECRET: secret } })
    await signInWith(fake, portal.url, 'u-1')
    const { authorization = '' } = fake.asked.find(({ endpoint }) => endpoint === 'token') ?? {}
    t.equal(atob(authorization.replace('Basic ', '')), `portal:${sentAs}`)
    t.equal(new URLSearchParams(`secret=${sentAs}`).get('secret'), secret)
  }
})
