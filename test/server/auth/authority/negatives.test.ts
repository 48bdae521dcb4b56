// Sign-ins that must fail: a wrong answer of the authority or a changed callback leads to an error page without a session.
import t, { type Test } from 'tap'
import type { SessionBackend } from '#server/auth/sessions/backend.ts'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import type { SignInOutcome } from '#server/observability/recorder.ts'
import { Browser, startPortal } from '#test/support/portal.ts'
import { type Changes, json, startFakeAuthority } from '../../../support/fake-authority.ts'
import { CLIENT, random, seconds } from '../../../support/fake-tokens.ts'
import { locationOf, sessionOf } from '../../../support/visits.ts'

interface Case extends Changes {
  /** Changes the query of the callback, or returns another query. */
  on?: (query: URLSearchParams, browser: Browser) => unknown
  leadsTo?: SignInOutcome
}

const fake = await startFakeAuthority(t)
const memory = createMemoryBackend(Date.now)
t.teardown(() => memory.close())
const store = { fails: false }
const backend: SessionBackend = {
  ...memory,
  async create(...parameters) {
    if (store.fails) throw new Error('the store fails')
    return memory.create(...parameters)
  }
}
const portal = await startPortal(t, { env: fake.env, backend })

const strangerKey = fake.newKey()

async function begin(browser: Browser): Promise<string> {
  const answer = await browser.call('/auth/login?returnTo=/customers/9')
  return answer.headers.get('location') ?? ''
}

async function signedIn(browser: Browser): Promise<boolean> {
  const state = (await (await browser.call('/auth/session')).json()) as { authenticated: boolean }
  return state.authenticated
}

async function refuses(t: Test, browser: Browser, answer: Response, leadsTo: SignInOutcome): Promise<void> {
  t.equal(answer.status, 303, await answer.text())
  t.equal(locationOf(answer), `/signin-failed?reason=${leadsTo}`)
  t.equal(await sessionOf(browser), '')
  t.notOk(await signedIn(browser))
}

async function tryOut(t: Test, { on, leadsTo = 'refused', ...changes }: Case): Promise<void> {
  const browser = new Browser(portal.url)
  const query = fake.authorize(await begin(browser))
  fake.changes = changes
  const newQuery = await on?.(query, browser)
  const answer = await browser.call(`/callback?${newQuery ?? query}`)
  fake.reset()
  await refuses(t, browser, answer, leadsTo)
}

const HTML_TYPE = { 'content-type': 'text/html' }
const JSON_TYPE = { 'content-type': 'application/json' }
const answers = (status: number, body: string, leadsTo: SignInOutcome, headers = {}): Case => ({
  instead: { token: (_request, response) => response.writeHead(status, headers).end(body) },
  leadsTo
})
const apiAnswer = (status: number, body: object): Changes => ({
  instead: { api: (_request, response) => json(response, status, body) }
})
const errorAnswer = (error: string, leadsTo: SignInOutcome): Case => ({
  on(query) {
    query.delete('code')
    query.set('error', error)
    query.set('error_description', '<script>alert(1)</script>')
  },
  leadsTo
})
const withCode = (browserOf: (own: Browser) => Browser) => async (query: URLSearchParams, own: Browser) =>
  query.set('code', fake.authorize(await begin(browserOf(own))).get('code') ?? '')
const ofAnotherAttempt = withCode((own) => own)
const ofAnotherBrowser = withCode(() => new Browser(portal.url))

const CASES: Record<string, Case> = {
  'an ID token of another issuer': { idToken: { iss: 'https://elsewhere.example.com' } },
  'an ID token whose issuer ends in a slash': { idToken: { iss: `${fake.issuer}/` } },
  'an ID token without an issuer': { idToken: { iss: undefined } },
  'an ID token for another client': { idToken: { aud: 'another-client' } },
  'an ID token without an audience': { idToken: { aud: undefined } },
  'an ID token for several audiences without azp': { idToken: { aud: [CLIENT.id, 'other'] } },
  'an ID token with another nonce': { idToken: { nonce: random() } },
  'an ID token without a nonce': { idToken: { nonce: undefined } },
  'an ID token that has expired': { idToken: { exp: seconds() - 120, iat: seconds() - 300 } },
  'an ID token without an expiry': { idToken: { exp: undefined } },
  'an ID token that is not valid yet': { idToken: { nbf: seconds() + 600 } },
  'an ID token without iat': { idToken: { iat: undefined } },
  'an ID token issued an hour in the future': { idToken: { iat: seconds() + 3600, exp: seconds() + 7200 } },
  'an ID token issued ten years ago': { idToken: { iat: seconds() - 315_360_000 } },
  'an ID token with the azp of another client': { idToken: { azp: 'other' } },
  'an ID token with an empty subject': { idToken: { sub: '' } },
  'a logout token instead of the ID token': { forgery: { header: { typ: 'logout+jwt' } } },
  'an access token instead of the ID token': { forgery: { header: { typ: 'at+jwt' } } },
  'an ID token with the at_hash of another access token': { idToken: { at_hash: random() } },
  'an ID token without a subject': { idToken: { sub: undefined } },
  'an ID token signed with a foreign key': { forgery: { key: strangerKey } },
  'an ID token signed with a foreign key under our key id': {
    forgery: { key: { ...strangerKey, kid: fake.keys[0]?.kid ?? '' } }
  },
  'an ID token with a garbled signature': { forgery: { signature: 'garbled' } },
  'an ID token with alg none': { forgery: { signature: 'none', header: { alg: 'none' } } },
  'an ID token signed HS256 with the public key': {
    forgery: { signature: 'public-key', header: { alg: 'HS256' } }
  },
  'an ID token with an unknown critical extension': {
    forgery: { header: { crit: ['exp'], exp: 1 } }
  },
  'an ID token that is not a JWT': { tokens: { id_token: 'a.b.c' }, leadsTo: 'unavailable' },
  'no ID token': { tokens: { id_token: undefined } },
  'no access token': { tokens: { access_token: undefined } },
  'an access token with a line break': { tokens: { access_token: 'a\nb' } },
  'an access token that cannot be sent in a header': { tokens: { access_token: 'tökén☃' } },
  'a negative lifetime': { tokens: { expires_in: -5 } },
  'a callback without a code': { on: (query) => query.delete('code') },
  'a callback with an unknown code': { on: (query) => query.set('code', random()) },
  'a callback of another issuer': { on: (query) => query.set('iss', 'https://elsewhere.example.com') },
  'a callback without the issuer': { on: (query) => query.delete('iss') },
  'a callback with broken encoding': { on: () => 'state=%E0%A4%A&code=%', leadsTo: 'expired' },
  'a callback with tokens, as in the implicit flow': {
    on(query) {
      query.set('id_token', fake.token({ sub: 'u-1' }))
      query.set('access_token', 'x')
    }
  },
  'a person who declines': errorAnswer('access_denied', 'denied'),
  'an authority that failed': errorAnswer('server_error', 'failed'),
  'an authority that is overloaded': errorAnswer('temporarily_unavailable', 'unavailable'),
  'a used code': {
    async on(query) {
      const otherBrowser = new Browser(portal.url)
      const otherQuery = fake.authorize(await begin(otherBrowser))
      await otherBrowser.call(`/callback?${otherQuery}`)
      query.set('code', otherQuery.get('code') ?? '')
    }
  },
  'a code of another attempt': { on: ofAnotherAttempt },
  'a code of another attempt that the authority accepts': { anyCode: true, on: ofAnotherAttempt },
  'a code of another browser that the authority accepts': { anyCode: true, on: ofAnotherBrowser },
  'a token endpoint that refuses the code': answers(400, '{"error":"invalid_grant"}', 'refused', JSON_TYPE),
  'a token endpoint that refuses the client': answers(401, '{"error":"invalid_client"}', 'misconfigured', {
    ...JSON_TYPE,
    'www-authenticate': 'Basic realm="x"'
  }),
  'a firewall before the token endpoint': answers(403, '<h1>Blocked</h1>', 'unavailable', HTML_TYPE),
  'a token endpoint that answers 404': answers(404, '', 'unavailable'),
  'a token endpoint that answers a page': answers(200, '<h1>Hello</h1>', 'unavailable', HTML_TYPE),
  'a token endpoint that answers null': answers(200, 'null', 'refused', JSON_TYPE),
  'a truncated token answer': answers(200, '{"access_token":"x', 'unavailable', JSON_TYPE),
  'a token endpoint that redirects': answers(302, '', 'unavailable', { location: `${fake.issuer}/token` }),
  'a token endpoint that fails': answers(500, 'oops', 'unavailable'),
  'a token endpoint that answers 429': answers(429, '{"error":"slow_down"}', 'unavailable', JSON_TYPE),
  'a token endpoint that resets the connection': {
    instead: { token: (request) => request.socket.resetAndDestroy() },
    leadsTo: 'unavailable'
  },
  'a token endpoint with a huge answer': { tokens: { id_token: 'a'.repeat(20 * 1024 * 1024) } },
  'an API that forbids the person': apiAnswer(403, {}),
  'an API that refuses the token': apiAnswer(401, {}),
  'an API that answers a page': {
    instead: { api: (_request, response) => response.writeHead(200).end('<h1>User</h1>') },
    leadsTo: 'unavailable'
  },
  'an API that answers a user without an id': {
    ...apiAnswer(200, { fullName: 'x' }),
    leadsTo: 'unavailable'
  }
}

for (const [name, attempt] of Object.entries(CASES))
  t.test(`starts no session for ${name}`, (t) => tryOut(t, attempt))

t.test('starts no session when the store fails', async (t) => {
  const browser = new Browser(portal.url)
  const query = fake.authorize(await begin(browser))
  store.fails = true
  const answer = await browser.call(`/callback?${query}`)
  store.fails = false
  await refuses(t, browser, answer, 'unavailable')
})

t.test('accepts a question mark inside a parameter', async (t) => {
  const browser = new Browser(portal.url)
  const query = fake.authorize(await begin(browser))
  const answer = await browser.call(`/callback?session_state=a?b&${query}`)
  t.equal(answer.headers.get('location'), '/customers/9')
})

async function withDiscovery(t: Test, changes: Changes, clock = Date.now) {
  const authority = await startFakeAuthority(t)
  authority.changes = changes
  const { url } = await startPortal(t, { env: authority.env, startedSandbox: portal.sandbox, clock })
  return { authority, browser: new Browser(url) }
}

const DISCOVERY: Record<string, Changes> = {
  'metadata of another issuer': { discovery: { issuer: 'https://elsewhere.example.com' } },
  'a page instead of metadata': {
    instead: { discovery: (_request, response) => response.writeHead(200).end('<h1>Hello</h1>') }
  },
  'a failed metadata request': { instead: { discovery: (_request, response) => json(response, 500, {}) } },
  'a redirected metadata request': {
    instead: {
      discovery: (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    }
  }
}

for (const [name, changes] of Object.entries(DISCOVERY)) {
  t.test(`the sign-in fails with ${name}, and metadata is fetched again after a second`, async (t) => {
    const time = { now: Date.now() }
    const { authority, browser } = await withDiscovery(t, changes, () => time.now)
    const loginAnswer = await browser.call('/auth/login?returnTo=/customers/9')
    t.equal(loginAnswer.status, 302)
    t.equal(locationOf(loginAnswer), '/signin-failed?reason=unavailable')
    const before = authority.count.discovery
    time.now += 999
    await browser.call('/auth/login')
    t.equal(authority.count.discovery, before)
    authority.reset()
    time.now += 1
    const query = authority.authorize((await browser.call('/auth/login')).headers.get('location') ?? '')
    t.ok((await browser.call(`/callback?${query}`)).ok || (await signedIn(browser)))
  })
}

const keysAnswer = (status: number, body: object): Changes => ({
  instead: { keys: (_request, response) => json(response, status, body) }
})
const foreignKey = { ...strangerKey.publicKey.export({ format: 'jwk' }), kid: strangerKey.kid, alg: 'RS256' }
const AUTHORITIES: Record<string, [Changes, SignInOutcome]> = {
  'no authorization endpoint': [{ discovery: { authorization_endpoint: undefined } }, 'refused'],
  'no token endpoint': [{ discovery: { token_endpoint: undefined } }, 'refused'],
  'no keys': [keysAnswer(200, { keys: [] }), 'unavailable'],
  'unavailable keys': [keysAnswer(500, {}), 'unavailable'],
  'foreign keys': [keysAnswer(200, { keys: [foreignKey] }), 'refused'],
  'HS256 as its only algorithm': [
    {
      discovery: { id_token_signing_alg_values_supported: ['HS256'] },
      forgery: { signature: 'public-key', header: { alg: 'HS256' } }
    },
    'refused'
  ]
}

for (const [name, [changes, reason]] of Object.entries(AUTHORITIES)) {
  t.test(`starts no session at an authority with ${name}`, async (t) => {
    const { authority, browser } = await withDiscovery(t, changes)
    const loginAnswer = await browser.call('/auth/login')
    const location = loginAnswer.headers.get('location') ?? ''
    t.equal(loginAnswer.status, 302)
    if (location.startsWith('/')) {
      t.equal(locationOf(loginAnswer), `/signin-failed?reason=${reason}`)
      return t.notOk(await signedIn(browser))
    }
    const answer = await browser.call(`/callback?${authority.authorize(location)}`)
    await refuses(t, browser, answer, reason)
  })
}
