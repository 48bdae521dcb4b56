import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import t from 'tap'
import { startSandbox } from '../app.ts'
import { asClient, CookieJar, openSignIn, postSignIn, REDIRECT_URI, signIn, token } from '../sign-in-flow.ts'
import { SIGN_INS } from '../sign-ins.ts'

const sandbox = await startSandbox()
t.teardown(sandbox.stop)
const VERIFIER = 'a-verifier-of-at-least-forty-three-characters-0'

t.test('the code flow ends with a JWT access token, a refresh token and an id token', async (t) => {
  const tokens = await signIn(sandbox, 'partner.admin')
  t.match(decodeProtectedHeader(tokens.access_token), { typ: 'at+jwt', alg: 'RS256' })
  const access = decodeJwt(tokens.access_token)
  t.match(access, { iss: sandbox.issuer, aud: sandbox.audience, sub: 'u-partner-admin', client_id: 'portal' })
  for (const scope of ['openid', 'profile', 'email', 'ncp:read', 'ncp:write'])
    t.ok(String(access.scope).split(' ').includes(scope), scope)
  t.equal(Number(access.exp) - Number(access.iat), 300)
  t.match(decodeJwt(tokens.id_token), {
    sub: 'u-partner-admin',
    sid: /./,
    nonce: 'some-nonce',
    name: 'Paula Andersson',
    email: 'partner.admin@portal.example'
  })
  t.type(tokens.refresh_token, 'string')
})

t.test('everybody in the table can sign in', async (t) => {
  for (const { username } of SIGN_INS) t.ok((await signIn(sandbox, username)).access_token, username)
})

t.test('the sign-in page offers everybody to click on and a form without script', async (t) => {
  const page = await openSignIn(sandbox, new CookieJar(), VERIFIER)
  t.match(page.headers.get('content-type'), /html/)
  const html = await page.text()
  for (const { username } of SIGN_INS) t.match(html, `<button name="person" value="${username}">`)
  t.match(html, /<input name="username"/)
  t.match(html, /<input name="password"/)
  t.match(html, /Sandbox/)
  t.notMatch(html, /<script/)
})

t.test('a wrong password or name shows the page again with a message', async (t) => {
  const jar = new CookieJar()
  const html = await (await openSignIn(sandbox, jar, VERIFIER)).text()
  for (const [name, password] of [
    ['partner.admin', 'wrong'],
    ['nobody', 'sandbox'],
    ['internal-service', 'sandbox']
  ] as const) {
    const answer = await postSignIn(jar, sandbox, html, name, password)
    t.equal(answer.status, 401)
    t.match(await answer.text(), /wrong/)
  }
  const again = await postSignIn(jar, sandbox, html, 'partner.admin')
  t.equal(again.status, 303)
})

t.test('a sign-in whose cookie is gone is refused with a page', async (t) => {
  const html = await (await openSignIn(sandbox, new CookieJar(), VERIFIER)).text()
  const answer = await postSignIn(new CookieJar(), sandbox, html, 'partner.admin')
  t.equal(answer.status, 400)
  t.match(await answer.text(), /start again/)
})

t.test('who is signed in already is not asked again, nor for consent', async (t) => {
  const jar = new CookieJar()
  await signIn(sandbox, 'partner.admin', jar)
  const challenge = createHash('sha256').update(VERIFIER).digest('base64url')
  const query = new URLSearchParams({
    client_id: 'portal',
    response_type: 'code',
    redirect_uri: 'http://127.0.0.1:45678/callback',
    scope: 'openid offline_access',
    code_challenge: challenge,
    code_challenge_method: 'S256'
  })
  const silent = await jar.fetch(`${sandbox.issuer}/auth?${query}&prompt=none`)
  t.match(silent.headers.get('location'), /^http:\/\/127\.0\.0\.1:45678\/callback\?code=/)
  let answer = await jar.fetch(`${sandbox.issuer}/auth?${query}&prompt=consent`)
  for (let hops = 0; hops < 3 && !answer.headers.get('location')?.includes('code='); hops++)
    answer = await jar.follow(answer, sandbox.url)
  t.match(answer.headers.get('location'), /\/callback\?code=/)
})

t.test('a gateway with a name of its own is led back to, and no other name', async (t) => {
  const named = await startSandbox({ gatewayUrl: 'https://portal.example.test:8443' })
  t.teardown(named.stop)
  const query = {
    client_id: 'portal',
    response_type: 'code',
    scope: 'openid',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256'
  }
  for (const [gateway, status] of [
    ['https://portal.example.test', 400],
    ['http://portal.example.test:8443', 400],
    ['https://portal.example.test:8443', 303]
  ] as const) {
    const parameters = new URLSearchParams({ ...query, redirect_uri: `${gateway}/callback` })
    const answer = await fetch(`${named.issuer}/auth?${parameters}`, { redirect: 'manual' })
    t.equal(answer.status, status, gateway)
  }
})

t.test('a foreign redirect address and a request without PKCE are refused', async (t) => {
  const query = { client_id: 'portal', response_type: 'code', scope: 'openid' }
  for (const uri of [
    'http://evil.example/callback',
    'http://localhost:3000/elsewhere',
    'https://localhost/elsewhere',
    'https://portal.example.com/callback'
  ]) {
    const parameters = new URLSearchParams({ ...query, redirect_uri: uri })
    const answer = await fetch(`${sandbox.issuer}/auth?${parameters}`, { redirect: 'manual' })
    t.equal(answer.status, 400, uri)
  }
  const parameters = new URLSearchParams({ ...query, redirect_uri: REDIRECT_URI })
  const answer = await fetch(`${sandbox.issuer}/auth?${parameters}`, { redirect: 'manual' })
  t.match(answer.headers.get('location'), /error=invalid_request/)
})

t.test('refreshing rotates the refresh token', async (t) => {
  const first = await signIn(sandbox, 'partner.user')
  const before = { ...sandbox.grants }
  const answer = await token(sandbox, { grant_type: 'refresh_token', refresh_token: first.refresh_token })
  const second = (await answer.json()) as typeof first
  t.equal(answer.status, 200)
  t.not(second.refresh_token, first.refresh_token)
  t.match(decodeJwt(second.access_token), { sub: 'u-partner-user', aud: sandbox.audience })
  t.equal(sandbox.grants.refresh_token, before.refresh_token + 1)
})

t.test('a refresh token used twice is refused and ends the whole grant', async (t) => {
  const first = await signIn(sandbox, 'partner.user')
  const refresh = (refresh_token: string) => token(sandbox, { grant_type: 'refresh_token', refresh_token })
  const second = (await (await refresh(first.refresh_token)).json()) as typeof first
  const before = { ...sandbox.grants }
  const reuse = await refresh(first.refresh_token)
  t.equal(reuse.status, 400)
  t.match(await reuse.json(), { error: 'invalid_grant' })
  t.equal((await refresh(second.refresh_token)).status, 400)
  t.equal(sandbox.grants.refused_refresh, before.refused_refresh + 2)
  t.equal(sandbox.grants.reused_refresh, before.reused_refresh + 1)
})

t.test('of uses at the same moment exactly one is the first', async (t) => {
  const { refresh_token } = await signIn(sandbox, 'partner.user')
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => token(sandbox, { grant_type: 'refresh_token', refresh_token }))
  )
  t.equal(answers.filter((answer) => answer.status === 200).length, 1)
})

t.test('a revoked refresh token is gone', async (t) => {
  const { refresh_token } = await signIn(sandbox, 'partner.user')
  const before = sandbox.grants.revoked
  t.equal((await asClient(sandbox, '/token/revocation', { token: refresh_token })).status, 200)
  t.equal(sandbox.grants.revoked, before + 1)
  t.equal((await token(sandbox, { grant_type: 'refresh_token', refresh_token })).status, 400)
})

t.test('the client may also send its secret in the body, and not a wrong one', async (t) => {
  const parameters = {
    grant_type: 'client_credentials',
    client_id: 'internal-service',
    client_secret: 'sandbox'
  }
  const ask = (body: Record<string, string>) =>
    fetch(`${sandbox.issuer}/token`, { method: 'POST', body: new URLSearchParams(body) })
  const answer = await ask({ ...parameters, scope: 'ncp:read ncp:write' })
  const { access_token, scope } = (await answer.json()) as { access_token: string; scope: string }
  t.equal(scope, 'ncp:read ncp:write')
  t.match(decodeJwt(access_token), { sub: 'internal-service', aud: sandbox.audience })
  t.equal((await ask({ ...parameters, client_secret: 'wrong' })).status, 401)
  const me = await fetch(`${sandbox.url}/api/v2/management/myUser`, {
    headers: { authorization: `Bearer ${access_token}` }
  })
  t.match(await me.json(), { id: 'internal-service', roleAssignments: [{ scope: '/organizations/100' }] })
})

t.test('signing out with the id token asks nothing, and the next sign-in does', async (t) => {
  const jar = new CookieJar()
  const { id_token, refresh_token } = await signIn(sandbox, 'customer.user', jar)
  const query = new URLSearchParams({
    id_token_hint: id_token,
    post_logout_redirect_uri: 'http://localhost:41234/',
    state: 'bye'
  })
  const html = await (await jar.fetch(`${sandbox.issuer}/session/end?${query}`)).text()
  t.match(html, /<script nonce=.*submit\(\)/)
  t.match(html, /<button[^>]*>Sign out/)
  const [, action = ''] = html.match(/action="([^"]+)"/) ?? []
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const body = new URLSearchParams(Object.fromEntries(fields.map(([, name, value]) => [name, value])))
  const ended = await jar.fetch(action, { method: 'POST', body })
  t.equal(ended.headers.get('location'), 'http://localhost:41234/?state=bye')
  t.match(sandbox.state.audit.slice(-2), [
    { action: 'LOGIN', actor: { id: 'u-customer-user' } },
    { action: 'LOGOUT', actor: { id: 'u-customer-user' } }
  ])
  t.match(await (await openSignIn(sandbox, jar, VERIFIER)).text(), /Choose somebody/)
  const still = await token(sandbox, { grant_type: 'refresh_token', refresh_token })
  t.equal(still.status, 200, 'only a revocation ends the refresh token')
})

t.test('back-channel logout tells the gateway which session has ended', async (t) => {
  const received: string[] = []
  const gateway = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    received.push(`${request.url} ${new URLSearchParams(text).get('logout_token')}`)
    response.end()
  })
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  t.teardown(() => gateway.close())
  await sandbox.setGateway(`http://localhost:${(gateway.address() as AddressInfo).port}`)

  const jar = new CookieJar()
  const { id_token } = await signIn(sandbox, 'customer.multi', jar)
  await sandbox.backchannelLogout('customer.multi')
  const [path, logoutToken = ''] = received.at(-1)?.split(' ') ?? []
  t.equal(path, '/auth/backchannel-logout')
  t.match(decodeJwt(logoutToken), { sub: 'u-customer-multi', aud: 'portal', sid: decodeJwt(id_token).sid })
  t.ok(decodeJwt(logoutToken).events as object | undefined)
  t.match(await (await openSignIn(sandbox, jar, VERIFIER)).text(), /Choose somebody/, 'the session is gone')
  await t.rejects(sandbox.backchannelLogout('nobody'), /no user/)
})
