// The identity provider refuses what a real one refuses: tests of the gateway prove nothing otherwise.
import { generateKeyPairSync } from 'node:crypto'
import { mock } from 'node:test'
import { decodeProtectedHeader, SignJWT } from 'jose'
import t from 'tap'
import { startSandbox } from '../app.ts'
import type { AuthorityHabits } from '../identity/authority.ts'
import { asClient, REDIRECT_URI, signIn, type Tokens, token } from '../sign-in-flow.ts'
import { callWith } from './call-as.ts'

const LIFE_SECONDS = 300
const sandbox = await startSandbox({ accessTokenSeconds: LIFE_SECONDS })
t.teardown(sandbox.stop)
const refresh = (refresh_token: string, at = sandbox) =>
  token(at, { grant_type: 'refresh_token', refresh_token })
const statusOf = async (accessToken: string, at = sandbox) =>
  (await callWith(at, accessToken)('GET', '/myUser')).status

t.test('a foreign redirect address and a request without PKCE are refused', async (t) => {
  const begin = (redirect_uri: string) =>
    fetch(
      `${sandbox.issuer}/auth?${new URLSearchParams({ client_id: 'portal', response_type: 'code', scope: 'openid', redirect_uri })}`,
      { redirect: 'manual' }
    )
  for (const uri of ['http://evil.example/callback', 'http://localhost:3000/elsewhere'])
    t.equal((await begin(uri)).status, 400, uri)
  t.match((await begin(REDIRECT_URI)).headers.get('location'), /error=invalid_request/)
})

t.test('a refresh token is good once; using it again ends the grant', async (t) => {
  const first = await signIn(sandbox, 'partner.user')
  const before = { ...sandbox.grants }
  const second = (await (await refresh(first.refresh_token)).json()) as Tokens
  t.not(second.refresh_token, first.refresh_token)
  t.equal(sandbox.grants.refresh_token, before.refresh_token + 1)
  t.equal((await refresh(first.refresh_token)).status, 400)
  t.equal((await refresh(second.refresh_token)).status, 400)
  t.equal(sandbox.grants.reused_refresh, before.reused_refresh + 1)
  const { refresh_token } = await signIn(sandbox, 'partner.user')
  const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(refresh_token)))
  t.equal(answers.filter(({ status }) => status === 200).length, 1, 'of those at the same moment, one')
})

t.test('a revoked refresh token is refused', async (t) => {
  const { refresh_token } = await signIn(sandbox, 'partner.user')
  t.equal((await asClient(sandbox, '/token/revocation', { token: refresh_token })).status, 200)
  t.equal((await refresh(refresh_token)).status, 400)
})

t.test('the APIs refuse any other token, an expired one, and a disabled user', async (t) => {
  const { access_token, id_token } = await signIn(sandbox, 'nds.operator')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const forged = await new SignJWT({ sub: 'u-global-admin' })
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'sandbox' })
    .setIssuer(sandbox.issuer)
    .setAudience(sandbox.audience)
    .setExpirationTime('1h')
    .sign(privateKey)
  for (const other of ['', 'garbage', id_token, forged]) t.equal(await statusOf(other), 401, other)
  // Tokens expire by the time of the process, which the clock of the sandbox is not.
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  t.equal(await statusOf(access_token), 200)
  mock.timers.setTime(Date.now() + LIFE_SECONDS * 1000)
  t.equal(await statusOf(access_token), 401)
  mock.timers.reset()
  const later = await signIn(sandbox, 'nds.operator')
  const user = sandbox.state.users.get('u-nds-operator')
  if (user) user.status = 'DISABLED'
  t.equal(await statusOf(later.access_token), 401)
  const { access_token: issued } = await signIn(sandbox, 'partner.admin')
  sandbox.refuseIssuedAccessTokens()
  t.equal(await statusOf(issued), 401)
})

t.test('a rotated key signs at once, and the old one is good until the next rotation', async (t) => {
  const own = await startSandbox()
  t.teardown(own.stop)
  const before = await signIn(own, 'partner.admin')
  await own.rotateKeys()
  t.equal(await statusOf(before.access_token, own), 200)
  const after = (await (await refresh(before.refresh_token, own)).json()) as Tokens
  t.equal(decodeProtectedHeader(after.access_token).kid, 'sandbox-2')
  await own.rotateKeys()
  t.equal(await statusOf(before.access_token, own), 401)
  t.equal(await statusOf(after.access_token, own), 200)
})

t.test('an authority may answer and refuse in other ways', async (t) => {
  const start = async (authority: AuthorityHabits) => {
    const other = await startSandbox({ authority })
    t.teardown(other.stop)
    return other
  }
  const poor = await start({
    refreshAnswers: { idToken: false, refreshToken: false, scope: false, expiresIn: false }
  })
  const { refresh_token } = await signIn(poor, 'partner.admin')
  for (const time of ['once', 'again'])
    t.same(
      Object.keys((await (await refresh(refresh_token, poor)).json()) as Tokens).sort(),
      ['access_token', 'token_type'],
      time
    )
  const html = await start({ refusal: { status: 401, body: 'html' } })
  const refused = await refresh('none', html)
  t.equal(refused.status, 401)
  t.match(await refused.text(), /<h1>/)
  const post = await start({ clientAuth: 'post', omit: ['revocation_endpoint'] })
  t.equal((await asClient(post, '/token/revocation', { token: 'x' })).status, 401, 'basic is not accepted')
  const discovered = (await (await fetch(`${post.issuer}/.well-known/openid-configuration`)).json()) as object
  t.notOk('revocation_endpoint' in discovered)
})
