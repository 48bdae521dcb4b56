import { decodeJwt, decodeProtectedHeader } from 'jose'
import t from 'tap'
import { startSandbox } from '../app.ts'
import type { AuthorityHabits } from '../identity/authority.ts'
import { asClient, signIn, type Tokens, token } from '../sign-in-flow.ts'
import { callWith } from './call-as.ts'

async function withAuthority(t: { teardown: (work: () => unknown) => void }, authority: AuthorityHabits) {
  const sandbox = await startSandbox({ authority })
  t.teardown(sandbox.stop)
  const refresh = (refresh_token: string) => token(sandbox, { grant_type: 'refresh_token', refresh_token })
  const discovery = async () =>
    (await (await fetch(`${sandbox.issuer}/.well-known/openid-configuration`)).json()) as Record<
      string,
      unknown
    >
  return { sandbox, refresh, discovery }
}

t.test('clients prove themselves in the one way that is accepted', async (t) => {
  const form = { grant_type: 'client_credentials', scope: 'ncp:read' }
  const asPost = (issuer: string) =>
    fetch(`${issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...form, client_id: 'internal-service', client_secret: 'sandbox' })
    })
  const asBasic = (issuer: string) =>
    fetch(`${issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('internal-service:sandbox')}` },
      body: new URLSearchParams(form)
    })
  const basic = await withAuthority(t, { clientAuth: 'basic' })
  t.equal((await asBasic(basic.sandbox.issuer)).status, 200)
  const refused = await asPost(basic.sandbox.issuer)
  t.equal(refused.status, 401)
  t.match(await refused.json(), { error: 'invalid_client' })
  t.match(await basic.discovery(), { token_endpoint_auth_methods_supported: ['client_secret_basic'] })

  const post = await withAuthority(t, { clientAuth: 'post' })
  t.equal((await asPost(post.sandbox.issuer)).status, 200)
  t.equal((await asBasic(post.sandbox.issuer)).status, 401)
  t.equal((await asClient(post.sandbox, '/token/revocation', { token: 'x' })).status, 401)
})

t.test('the answer to a refresh may leave out what it need not hold', async (t) => {
  const refreshAnswers = { idToken: false, refreshToken: false, scope: false, expiresIn: false } as const
  const { sandbox, refresh } = await withAuthority(t, { refreshAnswers })
  const first = await signIn(sandbox, 'partner.admin')
  t.ok(first.expires_in && first.scope && first.id_token, 'only refreshes are poorer')
  for (const time of ['the first time', 'again, for it is not rotated']) {
    const answer = await refresh(first.refresh_token)
    t.equal(answer.status, 200, time)
    const body = (await answer.json()) as Tokens
    t.same(Object.keys(body).sort(), ['access_token', 'token_type'])
    t.equal((await callWith(sandbox, body.access_token)('GET', '/myUser')).status, 200)
  }
})

t.test('one of them may be left out alone', async (t) => {
  const { sandbox, refresh } = await withAuthority(t, { refreshAnswers: { idToken: false } })
  const first = await signIn(sandbox, 'partner.admin')
  const body = (await (await refresh(first.refresh_token)).json()) as Tokens
  t.notOk('id_token' in body)
  t.ok(body.refresh_token && body.refresh_token !== first.refresh_token)
})

t.test('a refresh is refused in other ways', async (t) => {
  const cases: [NonNullable<AuthorityHabits['refusal']>, number, RegExp][] = [
    [{ status: 401 }, 401, /"error":"invalid_grant"/],
    [{ status: 403, error: 'access_denied' }, 403, /"error":"access_denied"/],
    [{ error: 'interaction_required' }, 400, /"error":"interaction_required"/],
    [{ body: 'empty' }, 400, /^$/],
    [{ status: 401, body: 'html' }, 401, /<h1>/]
  ]
  for (const [refusal, status, body] of cases) {
    const { sandbox, refresh } = await withAuthority(t, { refusal })
    const answer = await refresh('no-such-token')
    t.equal(answer.status, status, JSON.stringify(refusal))
    t.match(await answer.text(), body)
    const { refresh_token } = await signIn(sandbox, 'partner.admin')
    t.equal((await refresh(refresh_token)).status, 200, 'a good one is not')
  }
})

t.test('discovery may leave endpoints unnamed', async (t) => {
  const { discovery } = await withAuthority(t, { omit: ['revocation_endpoint', 'end_session_endpoint'] })
  const found = await discovery()
  t.ok(found.token_endpoint && found.jwks_uri)
  t.notOk('revocation_endpoint' in found || 'end_session_endpoint' in found)
})

t.test('access tokens are for the audience that was asked for, and the APIs accept them', async (t) => {
  for (const audience of ['https://api.example', ['https://other.example', 'https://api.example']]) {
    const { sandbox } = await withAuthority(t, { audience })
    const { access_token } = await signIn(sandbox, 'partner.admin')
    t.same(decodeJwt(access_token).aud, audience)
    t.equal(sandbox.audience, [audience].flat()[0])
    t.equal((await callWith(sandbox, access_token)('GET', '/myUser')).status, 200)
  }
})

t.test('a rotated key signs at once; the old one is published until the next rotation', async (t) => {
  const { sandbox, refresh } = await withAuthority(t, {})
  const published = async () => {
    const { keys } = (await (await fetch(`${sandbox.issuer}/jwks`)).json()) as { keys: { kid: string }[] }
    return keys.map((key) => key.kid)
  }
  const keyOf = (one: string) => decodeProtectedHeader(one).kid
  const works = async (one: string) => (await callWith(sandbox, one)('GET', '/myUser')).status === 200
  const before = await signIn(sandbox, 'partner.admin')
  t.equal(keyOf(before.access_token), 'sandbox')

  await sandbox.rotateKeys()
  t.same(await published(), ['sandbox-2', 'sandbox'])
  t.ok(await works(before.access_token))
  const grants = { ...sandbox.grants }
  const after = (await (await refresh(before.refresh_token)).json()) as Tokens
  t.equal(sandbox.grants.refresh_token, grants.refresh_token + 1, 'counted on')
  t.equal(keyOf(after.access_token), 'sandbox-2')
  t.equal(keyOf(after.id_token), 'sandbox-2')

  await sandbox.rotateKeys()
  t.same(await published(), ['sandbox-3', 'sandbox-2'])
  t.notOk(await works(before.access_token), 'its key was withdrawn')
  t.ok(await works(after.access_token))
})
