// Authorities that differ within the standards: people can sign in, stay signed in and sign out.
import type { IncomingMessage, ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import type { SandboxOptions } from '#test/sandbox/app.ts'
import { type Browser, type Portal, type PortalOptions, signIn, startPortal } from '#test/support/portal.ts'
import { eventually } from '../../../support/eventually.ts'
import {
  type Changes,
  callWith,
  expiringApi,
  json,
  signInWith,
  startFakeAuthority
} from '../../../support/fake-authority.ts'
import { openSandbox } from '../../../support/scenes/gateway.ts'
import { serviceToken } from '../../../support/service-token.ts'

const ME = '/api/v2/management/myUser'

// The gateway replaces a token that an API refuses only if the token is 30 s old.
let aheadMs = 0
const clock = () => Date.now() + aheadMs

type Options = NonNullable<SandboxOptions['authority']>

async function portalAt(t: Test, authority: Options, env: Record<string, string> = {}): Promise<Portal> {
  const sandbox = await openSandbox(t, { authority })
  return startPortal(t, { startedSandbox: sandbox, env, clock })
}

const status = async (browser: Browser, path = ME, method = 'GET') => {
  const answer = await browser.call(path, { method })
  await answer.arrayBuffer()
  return answer.status
}

function expectNoErrors(t: Test, { logged }: { logged: string[] }): void {
  t.strictSame(logged.filter((line) => /"level":"(?:error|fatal)"/.test(line)).slice(0, 2), [])
}

async function visit(t: Test, portal: Portal): Promise<Browser> {
  const { sandbox } = portal
  const browser = await signIn(portal.url, sandbox, 'customer.admin')
  t.equal(await status(browser), 200)
  for (const order of ['first', 'second']) {
    const before = sandbox.grants.refresh_token
    aheadMs += 30_000
    sandbox.refuseIssuedAccessTokens()
    t.equal(await status(browser), 200, `the ${order} refresh`)
    t.equal(sandbox.grants.refresh_token - before, 1)
  }
  t.equal(sandbox.grants.reused_refresh, 0)
  expectNoErrors(t, portal)
  return browser
}

const refusalOptions: Options = {}
const refusalPortal = await portalAt(t, refusalOptions)
const fake = await startFakeAuthority(t)
t.beforeEach(() => fake.reset())

const portalAtFake = (t: Test, options: PortalOptions = {}) =>
  startPortal(t, { startedSandbox: refusalPortal.sandbox, ...options, env: { ...fake.env, ...options.env } })

t.test('works when refreshes return only an access token, with client_secret_post', async (t) => {
  const refreshAnswers = { idToken: false, refreshToken: false, scope: false, expiresIn: false } as const
  const portal = await portalAt(t, { clientAuth: 'post', refreshAnswers }, { OIDC_CLIENT_AUTH: 'post' })
  const browser = await visit(t, portal)
  t.equal(await status(browser, '/auth/logout', 'POST'), 200)
  await eventually(() => portal.sandbox.grants.revoked > 0)
})

t.test('works without endpoints to revoke tokens and to end sessions', async (t) => {
  const portal = await portalAt(t, { omit: ['revocation_endpoint', 'end_session_endpoint'] })
  const browser = await visit(t, portal)
  const logoutAnswer = await browser.call('/auth/logout', { method: 'POST' })
  t.equal(logoutAnswer.status, 200)
  t.match(await logoutAnswer.json(), { redirect: new RegExp(`^${portal.url}/`) })
  t.equal(await status(browser), 401)
})

t.test('accepts access tokens for several audiences', async (t) => {
  const audience = ['urn:sandbox:api', 'urn:other:api']
  const portal = await portalAt(t, { audience }, { OIDC_AUDIENCE: 'urn:sandbox:api' })
  await visit(t, portal)
  const token = await serviceToken(portal.sandbox, 'ncp:read')
  const answer = await fetch(portal.url + ME, { headers: { authorization: `Bearer ${token}` } })
  await answer.arrayBuffer()
  t.equal(answer.status, 200)
})

const REFUSALS: [name: string, refusal: Options['refusal'], ends: boolean][] = [
  ['with 403 and HTML', { status: 403, body: 'html' }, false],
  ['with 401 and invalid_client', { status: 401, error: 'invalid_client' }, false],
  ['with 503 and an empty body', { status: 503, body: 'empty' }, false],
  ['with 401', { status: 401 }, true],
  ['with 400 and an empty body', { body: 'empty' }, true],
  ['with 400 and HTML', { body: 'html' }, true]
]
for (const [name, refusal, ends] of REFUSALS)
  t.test(`a refresh refused ${name} ${ends ? 'ends' : 'keeps'} the session`, async (t) => {
    Object.assign(refusalOptions, { refusal })
    const { sandbox, url } = refusalPortal
    const browser = await signIn(url, sandbox, 'customer.admin')
    t.equal(await status(browser), 200)
    const user = sandbox.state.users.get('u-customer-admin')
    if (!user) return t.fail('there is no such user')
    user.status = 'DISABLED'
    aheadMs += 30_000
    sandbox.refuseIssuedAccessTokens()
    const answer = await browser.call(ME)
    t.equal(answer.status, ends ? 401 : 503, await answer.text())
    if (!ends) t.strictSame(answer.headers.getSetCookie(), [])
    user.status = 'ACTIVE'
    t.equal(await status(browser), ends ? 401 : 200)
    expectNoErrors(t, refusalPortal)
  })

const FORMS: Record<string, Changes> = {
  'an ID token with a list of one audience': { idToken: { aud: ['portal'] } },
  'an ID token for several audiences with our azp': { idToken: { aud: ['portal', 'other'], azp: 'portal' } },
  'an ID token without a session': { idToken: { sid: undefined } },
  'an ID token with 200 groups': {
    idToken: { groups: Array.from({ length: 200 }, (_, index) => `group-${index}`) }
  },
  'an ID token with at_hash': { hashed: true },
  'an ID token without a type': { forgery: { header: { typ: undefined } } },
  'the token type in capitals': { tokens: { token_type: 'BEARER' } },
  'a lifetime as a string': { tokens: { expires_in: '300' } },
  'no lifetime': { tokens: { expires_in: undefined } },
  'no scope': { tokens: { scope: undefined } },
  'unknown fields': { tokens: { ext_expires_in: 300, nested: { a: [] } } }
}
t.test('accepts all sign-in answers that the standards allow', async (t) => {
  const portal = await portalAtFake(t)
  for (const [name, changes] of Object.entries(FORMS)) {
    fake.changes = changes
    const cookie = await signInWith(fake, portal.url, 'u-forms')
    t.match(await (await callWith(cookie, portal.url, ME)).json(), { id: 'u-forms' }, name)
  }
  expectNoErrors(t, portal)
})

t.test('accepts metadata without optional fields and with additional fields', async (t) => {
  fake.changes.discovery = {
    authorization_response_iss_parameter_supported: undefined,
    token_endpoint_auth_methods_supported: undefined,
    check_session_iframe: 'https://x'
  }
  const portal = await portalAtFake(t)
  await signInWith(fake, portal.url)
  expectNoErrors(t, portal)
})

t.test('a session without a refresh token ends when its access token expires', async (t) => {
  fake.changes = { tokens: { refresh_token: undefined } }
  const time = { now: Date.now() }
  const portal = await portalAtFake(t, { clock: () => time.now })
  const cookie = await signInWith(fake, portal.url, 'u-short')
  t.match(portal.logged.join(''), 'signed in without a refresh token')
  time.now += 280_000
  t.equal((await callWith(cookie, portal.url, ME)).status, 200)
  time.now += 25_000
  const answer = await callWith(cookie, portal.url, ME)
  t.equal(answer.status, 401)
  t.match(await answer.json(), { type: 'urn:portal:problem:not_signed_in' })
  t.match(portal.logged.join(''), '"outcome":"no refresh token"')
  expectNoErrors(t, portal)
})

t.test(
  'an API that refuses the token of a session without a refresh token does not end the session',
  async (t) => {
    const api = (request: IncomingMessage, response: ServerResponse) =>
      request.url === ME
        ? json(response, 200, { id: 'u-short', roleAssignments: [] })
        : json(response, 401, {})
    fake.changes = { tokens: { refresh_token: undefined }, instead: { api } }
    const time = { now: Date.now() }
    const portal = await portalAtFake(t, { clock: () => time.now })
    const cookie = await signInWith(fake, portal.url, 'u-short')
    time.now += 30_000
    const answer = await callWith(cookie, portal.url, '/api/v2/management/roles')
    t.equal(answer.status, 502)
    t.match(await answer.json(), { type: 'urn:portal:problem:upstream_unauthorized' })
    t.equal((await callWith(cookie, portal.url, ME)).status, 200)
  }
)

t.test('accepts refreshed tokens while keys are unavailable, but no tokens of another person', async (t) => {
  const { api, expire, clock } = expiringApi()
  fake.changes = { instead: { api } }
  const portal = await portalAtFake(t, { clock })
  const cookie = await signInWith(fake, portal.url)
  t.equal((await callWith(cookie, portal.url, ME)).status, 200)
  const before = fake.count.keys
  for (let count = 0; count < 3; count += 1) {
    expire()
    fake.changes = { instead: { api, keys: (_request, response) => json(response, 500, {}) } }
    t.equal((await callWith(cookie, portal.url, ME)).status, 200)
  }
  t.equal(fake.count.reused, 0)
  t.ok(fake.count.keys - before <= 1, `${fake.count.keys - before} fetches of keys`)
  fake.changes = { instead: { api }, idToken: { sub: 'somebody-else' } }
  expire()
  t.equal((await callWith(cookie, portal.url, ME)).status, 401)
  expectNoErrors(t, portal)
})

t.test('revokes refreshed tokens if their session ended during the refresh', async (t) => {
  const { api, expire, clock } = expiringApi()
  fake.changes = { instead: { api } }
  const portal = await portalAtFake(t, { clock })
  const cookie = await signInWith(fake, portal.url)
  t.equal((await callWith(cookie, portal.url, ME)).status, 200)
  expire()
  const newTokens = fake.issue('u-1')
  const pending: (() => void)[] = []
  fake.changes.instead = {
    api,
    token: (_request, response) => void pending.push(() => json(response, 200, newTokens))
  }
  const slowCall = callWith(cookie, portal.url, ME)
  await eventually(() => pending.length === 1)
  t.equal((await callWith(cookie, portal.url, '/auth/logout', { method: 'POST' })).status, 200)
  pending[0]?.()
  t.equal((await slowCall).status, 401)
  t.equal((await callWith(cookie, portal.url, ME)).status, 401)
  const isRevoked = ({ endpoint, form }: (typeof fake.asked)[number]) =>
    endpoint === 'revoke' && form.get('token') === newTokens.refresh_token
  await eventually(() => fake.asked.some(isRevoked))
})
