// Access tokens of services (RFC 9068): valid tokens act as their user, invalid tokens get 401, cookies are ignored.
import t from 'tap'
import { type Portal, startPortal } from '#test/support/portal.ts'
import { json, signInWith, startFakeAuthority } from '../../support/fake-authority.ts'
import { CLIENT, type Json, seconds } from '../../support/fake-tokens.ts'
import { sendAlone } from '../../support/raw-http.ts'

const ME = '/api/v2/management/myUser'

const fake = await startFakeAuthority(t)
let aheadMs = 0
const portal = await startPortal(t, { env: fake.env, clock: () => Date.now() + aheadMs })
const { sandbox } = portal
const foreignKey = fake.newKey()

interface Answered {
  status: number
  headers: Headers
  body: Json
}

async function call(
  { url }: Portal,
  token: string,
  path: string,
  init: RequestInit & { body?: string } = {}
): Promise<Answered> {
  const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) }
  const answer = await fetch(url + path, { ...init, headers })
  return { status: answer.status, headers: answer.headers, body: JSON.parse((await answer.text()) || '{}') }
}

t.test('refuses every invalid token with 401, without an upstream call', async (t) => {
  const token = (claims: Json, forgery = {}) => fake.accessToken(claims, forgery)
  const idClaims = { iss: fake.issuer, aud: CLIENT.id, sub: 'u-1', iat: seconds(), exp: seconds() + 300 }
  const jwk = foreignKey.publicKey.export({ format: 'jwk' })
  const invalidTokens: Record<string, string> = {
    'not a JWT': 'hello',
    'expired a second ago': token({ exp: seconds() - 1 }),
    'without an expiry': token({ exp: undefined }),
    'not valid yet': token({ nbf: seconds() + 60 }),
    'without iat': token({ iat: undefined }),
    'of another issuer': token({ iss: 'https://elsewhere.example.com' }),
    'of an issuer that ends in a slash': token({ iss: `${fake.issuer}/` }),
    'for another audience': token({ aud: 'urn:other:api' }),
    'for an audience that begins like ours': token({ aud: `${fake.audience}/x` }),
    'without an audience': token({ aud: undefined }),
    'without a client': token({ client_id: undefined }),
    'of a client that is a number': token({ client_id: 7 }),
    'without a subject': token({ sub: undefined }),
    'of a subject that is a number': token({ sub: 7 }),
    'an ID token for our audience': fake.token({ ...idClaims, aud: fake.audience, client_id: 'x' }),
    'a logout token for our audience': fake.logoutToken({ sub: 'u-1', aud: fake.audience, client_id: 'x' }),
    'without a type': token({}, { header: { typ: undefined } }),
    'of the type JWT': token({}, { header: { typ: 'JWT' } }),
    'a foreign key': token({}, { key: foreignKey }),
    'a foreign key under our key id': token({}, { key: { ...foreignKey, kid: fake.keys[0]?.kid } }),
    'a key in its header': token({}, { key: foreignKey, header: { jwk, kid: undefined } }),
    'a garbled signature': token({}, { signature: 'garbled' }),
    'alg none': token({}, { signature: 'none', header: { alg: 'none' } }),
    'HS256 with the public key': token({}, { signature: 'public-key', header: { alg: 'HS256' } }),
    'an unknown critical extension': token({}, { header: { crit: ['x'], x: 1 } }),
    'changed claims': (() => {
      const [header, , signature] = token({}).split('.')
      const claims = Buffer.from(JSON.stringify({ ...idClaims, aud: fake.audience })).toString('base64url')
      return `${header}.${claims}.${signature}`
    })()
  }
  // Lets an unknown key cause a fetch at once.
  t.equal((await call(portal, fake.accessToken(), ME)).status, 200)
  aheadMs = 5_000
  fake.reset()
  for (const [name, value] of Object.entries(invalidTokens)) {
    for (const [method, path] of [
      ['GET', ME],
      ['POST', '/api/v1/egress/telemetry']
    ] as const) {
      const { status, headers, body } = await call(portal, value, path, { method })
      t.equal(status, 401, `${name}, ${method}`)
      t.match(headers.get('www-authenticate'), /^Bearer/)
      t.match(headers.get('content-type'), 'application/problem+json')
      t.notMatch(JSON.stringify(body), /jose|JW[STK]|stack|\.ts/)
    }
  }
  t.strictSame(fake.calls, [])
})

t.test('ignores an invalid token on public routes', async (t) => {
  const headers = { authorization: 'Bearer hello' }
  t.equal((await fetch(`${portal.url}/api/docs`, { headers })).status, 200)
  t.equal((await fetch(`${portal.url}/api/nowhere`, { headers })).status, 404)
})

t.test('logs which claim of a refused token is invalid', async (t) => {
  const reasons: Record<string, string> = {
    'its claim aud is invalid': fake.accessToken({ aud: 'urn:other:api' }),
    'its claim exp is invalid': fake.accessToken({ exp: seconds() - 1 }),
    'its claim client_id is invalid': fake.accessToken({ client_id: undefined }),
    'its claim typ is invalid': fake.accessToken({}, { header: { typ: 'JWT' } }),
    'its client_id or its sub is not a string': fake.accessToken({ sub: 7 }),
    'it cannot be verified': fake.accessToken({}, { key: foreignKey })
  }
  for (const [reason, token] of Object.entries(reasons)) {
    portal.logged.length = 0
    await call(portal, token, ME)
    const lines = portal.logged.map((line) => JSON.parse(line))
    const refusal = lines.find(({ msg }) => msg === 'refused an access token')
    t.match(refusal, { reason, requestId: String }, reason)
    t.notOk(portal.logged.some((line) => line.includes(token.split('.')[1] as string)))
  }
})

t.test('accepts a token without kid if any known key verifies it', async (t) => {
  const authority = await startFakeAuthority(t)
  authority.keys.push(authority.newKey(), authority.newKey())
  const keysPortal = await startPortal(t, { env: authority.env, startedSandbox: sandbox })
  const header = { kid: undefined }
  for (const key of authority.keys)
    t.equal((await call(keysPortal, authority.accessToken({}, { key, header }), ME)).status, 200)
  t.equal((await call(keysPortal, authority.accessToken({}, { key: foreignKey, header }), ME)).status, 401)
  const expiredToken = authority.accessToken({ exp: seconds() - 1 }, { header })
  t.equal((await call(keysPortal, expiredToken, ME)).status, 401)
  t.match(await signInWith(authority, keysPortal.url).catch(String), /^portal=/)
  authority.changes = { forgery: { header } }
  // With several keys, an ID token must name its key (OpenID Connect Core, section 10.1).
  t.match(await signInWith(authority, keysPortal.url).catch(String), /signin-failed\?reason=refused/)
})

t.test('refuses every invalid form of the Authorization header', async (t) => {
  const validToken = fake.accessToken()
  const forms: Record<string, string> = {
    'no scheme': validToken,
    'another scheme': `Token ${validToken}`,
    'Basic, with the token as its password': `Basic ${Buffer.from(`x:${validToken}`).toString('base64')}`,
    'DPoP, without a proof': `DPoP ${validToken}`,
    'two tokens': `Bearer ${validToken} ${validToken}`,
    'two tokens with a comma': `Bearer ${validToken}, Bearer ${validToken}`,
    'a name before the token': `Bearer token=${validToken}`,
    'quotation marks': `Bearer "${validToken}"`,
    'two spaces': `Bearer  ${validToken}`,
    'a tab': `Bearer\t${validToken}`,
    'no token': 'Bearer',
    'an empty header': ''
  }
  for (const [name, authorization] of Object.entries(forms)) {
    const answer = await fetch(portal.url + ME, { headers: { authorization } })
    await answer.text()
    t.equal(answer.status, 401, name)
  }
  for (const path of [`${ME}?access_token=${validToken}`, `${ME}?authorization=Bearer%20${validToken}`])
    t.equal((await fetch(portal.url + path, { headers: { 'x-portal-csrf': '1' } })).status, 401, path)
  const body = new URLSearchParams({ access_token: validToken })
  t.not((await fetch(portal.url + ME, { method: 'POST', body })).status, 200, 'refuses a token in a form')
  for (const name of ['x-authorization', 'proxy-authorization', 'x-access-token', 'authorization_']) {
    const headers = { [name]: `Bearer ${validToken}`, 'x-portal-csrf': '1' }
    t.equal((await fetch(portal.url + ME, { headers })).status, 401, name)
  }
})

t.test('ignores a second Authorization header', async (t) => {
  const [validToken, expiredToken] = [fake.accessToken(), fake.accessToken({ exp: seconds() - 1 })]
  const head = `GET ${ME} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`
  const twoHeaders = `Authorization: Bearer ${expiredToken}\r\nauthorization: Bearer ${validToken}\r\n\r\n`
  t.equal((await sendAlone(portal.config.PORT, head + twoHeaders)).status, 401)
})

t.test('answers 403 to a token without the scope for the method', async (t) => {
  const cases: [scope: Json, read: number, write: number][] = [
    [{ scope: 'ncp:read ncp:write' }, 200, 200],
    [{ scope: 'ncp:read' }, 200, 403],
    [{ scope: 'ncp:write' }, 403, 200],
    [{ scope: 'openid profile' }, 403, 403],
    [{ scope: '' }, 403, 403],
    [{ scope: undefined }, 403, 403],
    [{ scope: 'NCP:READ NCP:WRITE' }, 403, 403],
    [{ scope: 'ncp:readncp:write' }, 403, 403],
    [{ scope: 'xncp:read ncp:writex' }, 403, 403],
    [{ scope: 'ncp:read,ncp:write' }, 403, 403],
    [{ scope: undefined, scp: ['ncp:read', 'ncp:write'] }, 200, 200],
    [{ scope: { 'ncp:read': true } }, 403, 403],
    [{ scope: undefined, permissions: ['ncp:read'] }, 403, 403]
  ]
  const id = 'u-scopes'
  const admin = [{ id: 'ra-1', scope: '/', roleName: 'global_admin' }]
  fake.people.set(id, { id, organizationId: null, userType: 'INTERNAL', roleAssignments: admin })
  for (const [claims, read, write] of cases) {
    const token = fake.accessToken({ sub: id, ...claims })
    t.equal((await call(portal, token, ME)).status, read, `to read with ${JSON.stringify(claims)}`)
    const path = `/api/v1/notifications/users/${id}`
    const writeAnswer = await call(portal, token, path, { method: 'PUT', body: '[]' })
    t.equal(writeAnswer.status, write, `to write with ${JSON.stringify(claims)}`)
  }
})

t.test('names the scope that a token lacks, but none if only roles are missing', async (t) => {
  const challenge = async (scope: string, method: string, path: string) => {
    const token = fake.accessToken({ sub: 'u-no-roles', scope })
    const { status, headers } = await call(portal, token, path, { method })
    t.equal(status, 403, `${method} ${path} with ${scope}`)
    return headers.get('www-authenticate')
  }
  const insufficient = 'Bearer realm="portal", error="insufficient_scope"'
  t.equal(await challenge('openid', 'GET', ME), `${insufficient}, scope="ncp:read"`)
  const egress = '/api/v1/egress/telemetry'
  t.equal(await challenge('ncp:read', 'POST', egress), `${insufficient}, scope="ncp:write"`)
  t.equal(await challenge('ncp:read', 'GET', '/api/v1/notifications/users/u-other'), insufficient)
})

t.test('sends no challenge to a person who is refused', async (t) => {
  const cookie = await signInWith(fake, portal.url, 'u-no-roles')
  const headers = { cookie, 'x-portal-csrf': '1' }
  const refusal = await fetch(`${portal.url}/api/v1/notifications/users/u-other`, { headers })
  t.equal(refusal.status, 403)
  t.equal(refusal.headers.get('www-authenticate'), null)
})

t.test('ignores a cookie if there is an Authorization header', async (t) => {
  const cookie = await signInWith(fake, portal.url, 'u-cookie')
  const token = fake.accessToken({ sub: 'u-token' })
  const answer = await call(portal, token, ME, { headers: { cookie } })
  t.equal(answer.status, 200)
  t.equal(answer.body.id, 'u-token')
  const expiredToken = fake.accessToken({ sub: 'u-token', exp: seconds() - 1 })
  const headers = { cookie, 'x-portal-csrf': '1', origin: portal.url }
  t.equal((await call(portal, expiredToken, ME, { headers })).status, 401, 'an invalid token with a cookie')
  const emptyHeader = await fetch(portal.url + ME, { headers: { ...headers, authorization: '' } })
  t.equal(emptyHeader.status, 401, 'an empty header with a valid cookie')
  const longCookie = `portal=${'x'.repeat(5000)}`
  for (const value of ['portal=x', 'portal=x.y', longCookie, 'portal', '=;;=', `${cookie}x`])
    t.equal((await call(portal, token, ME, { headers: { cookie: value } })).status, 200, value.slice(0, 20))
  t.strictSame((await call(portal, token, ME)).headers.getSetCookie(), [])
})

t.test('refuses services if OIDC_AUDIENCE is not set', async (t) => {
  const { OIDC_AUDIENCE: _none, ...env } = fake.env
  const userPortal = await startPortal(t, { env, startedSandbox: sandbox })
  for (const claims of [{}, { aud: 'undefined' }, { aud: '' }, { aud: undefined }, { aud: CLIENT.id }])
    t.equal((await call(userPortal, fake.accessToken(claims), ME)).status, 401, JSON.stringify(claims))
})

t.test('forwards a 401 of the API to the service', async (t) => {
  fake.changes = { instead: { api: (_request, response) => json(response, 401, {}) } }
  t.equal((await call(portal, fake.accessToken({ sub: 'u-refused' }), ME)).status, 401)
  fake.reset()
  const token = fake.accessToken({ sub: 'u-refused-later' })
  t.equal((await call(portal, token, ME)).status, 200)
  fake.changes = { instead: { api: (_request, response) => json(response, 401, {}) } }
  t.equal((await call(portal, token, ME)).status, 401, 'after a successful call')
  fake.reset()
})
