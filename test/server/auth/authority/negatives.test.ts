// Sign-ins that must fail: for every wrong answer of the authority, and every changed callback, the person gets a page and
// nobody is signed in.
import t, { type Test } from 'tap'
import type { SessionBackend } from '#server/auth/sessions/backend.ts'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import type { SignInOutcome } from '#server/observability/recorder.ts'
import { Browser, startPortal } from '#test/support/portal.ts'
import { json, type Lies, startFakeAuthority } from '../../../support/fake-authority.ts'
import { CLIENT, random, seconds } from '../../../support/fake-tokens.ts'
import { sentCookies } from '../../../support/sent-cookies.ts'
import { placeOf } from '../../../support/visits.ts'

type Reason = SignInOutcome

type Journey = (
  query: URLSearchParams,
  browser: Browser
) => string | URLSearchParams | Promise<URLSearchParams | string>

interface Case extends Lies {
  on?: Journey
  leadsTo?: Reason
}

const fake = await startFakeAuthority(t)
const memory = createMemoryBackend(Date.now)
t.teardown(() => memory.close())
const store = { isAway: false }
const backend: SessionBackend = {
  ...memory,
  async create(...parameters) {
    if (store.isAway) throw new Error('the store is away')
    return memory.create(...parameters)
  }
}
const portal = await startPortal(t, { env: fake.env, backend })

const stranger = fake.newKey()

async function begin(browser: Browser): Promise<string> {
  const begun = await browser.call('/auth/login?returnTo=/customers/9')
  return begun.headers.get('location') ?? ''
}

async function signedIn(browser: Browser): Promise<boolean> {
  const state = (await (await browser.call('/auth/session')).json()) as { authenticated: boolean }
  return state.authenticated
}

async function refused(t: Test, browser: Browser, answer: Response, leadsTo: Reason): Promise<void> {
  t.equal(answer.status, 303, `answered with a redirect: ${await answer.text()}`)
  t.equal(placeOf(answer), `/signin-failed?reason=${leadsTo}`)
  t.notOk(
    (await sentCookies(browser.jar)).some((cookie) => cookie.startsWith('portal=')),
    'no session cookie'
  )
  t.notOk(await signedIn(browser), 'nobody is signed in')
}

async function tryOut(t: Test, { on = (query) => query, leadsTo = 'refused', ...lies }: Case): Promise<void> {
  const browser = new Browser(portal.url)
  const query = fake.authorize(await begin(browser))
  fake.lies = lies
  const answer = await browser.call(`/callback?${await on(query, browser)}`)
  fake.reset()
  await refused(t, browser, answer, leadsTo)
}

const without =
  (name: string): Journey =>
  (query) => {
    query.delete(name)
    return query
  }
const withParameter =
  (name: string, value: string): Journey =>
  (query) => {
    query.set(name, value)
    return query
  }
const answered = (status: number, body: string, headers: Record<string, string> = {}): Lies => ({
  instead: { token: (_request, response) => response.writeHead(status, headers).end(body) }
})
const HTML_TYPE = { 'content-type': 'text/html' }
const JSON_TYPE = { 'content-type': 'application/json' }
const errorAnswer =
  (error: string): Journey =>
  (query) => {
    query.delete('code')
    query.set('error', error)
    query.set('error_description', '<script>alert(1)</script>')
    return query
  }

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
  'an ID token issued an hour ahead': { idToken: { iat: seconds() + 3600, exp: seconds() + 7200 } },
  'an ID token issued ten years ago': { idToken: { iat: seconds() - 315_360_000 } },
  'an ID token with the azp of another client': { idToken: { azp: 'other' } },
  'an ID token with an empty subject': { idToken: { sub: '' } },
  'a logout token instead of the ID token': { forgery: { header: { typ: 'logout+jwt' } } },
  'an access token instead of the ID token': { forgery: { header: { typ: 'at+jwt' } } },
  'an ID token with the at_hash of another access token': { idToken: { at_hash: random() } },
  'an ID token without a subject': { idToken: { sub: undefined } },
  'an ID token signed with a foreign key': { forgery: { key: stranger } },
  'an ID token signed with a foreign key under our key id': {
    forgery: { key: { ...stranger, kid: fake.keys[0]?.kid ?? '' } }
  },
  'an ID token with a garbled signature': { forgery: { signature: 'garbled' } },
  'an ID token with alg none': { forgery: { signature: 'none', header: { alg: 'none' } } },
  'an ID token signed HS256 with the public key': {
    forgery: { signature: 'public-key', header: { alg: 'HS256' } }
  },
  'an ID token with an unknown critical extension': {
    forgery: { header: { crit: ['exp'], exp: 1 } }
  },
  'an ID token that is no JWT': { tokens: { id_token: 'a.b.c' }, leadsTo: 'unavailable' },
  'no ID token': { tokens: { id_token: undefined } },
  'no access token': { tokens: { access_token: undefined } },
  'an access token with a line break': { tokens: { access_token: 'a\nb' } },
  'an access token that no header can carry': { tokens: { access_token: 'tökén☃' } },
  'a negative lifetime': { tokens: { expires_in: -5 } },
  'a callback without a code': { on: without('code') },
  'a callback with an unknown code': { on: withParameter('code', random()) },
  'a callback of another issuer': { on: withParameter('iss', 'https://elsewhere.example.com') },
  'a callback without the issuer that ours always names': { on: without('iss') },
  'a callback of broken encoding': { on: () => 'state=%E0%A4%A&code=%', leadsTo: 'expired' },
  'a callback with tokens, as in the implicit flow': {
    on: (query) => {
      query.set('id_token', fake.token({ sub: 'u-1' }))
      query.set('access_token', 'x')
      return query
    }
  },
  'a person who declines': { on: errorAnswer('access_denied'), leadsTo: 'denied' },
  'an authority that failed': { on: errorAnswer('server_error'), leadsTo: 'failed' },
  'an authority that is overloaded': {
    on: errorAnswer('temporarily_unavailable'),
    leadsTo: 'unavailable'
  },
  'a code that has been used': {
    on: async (query) => {
      const other = new Browser(portal.url)
      const theirs = fake.authorize(await begin(other))
      await other.call(`/callback?${theirs}`)
      query.set('code', theirs.get('code') ?? '')
      return query
    }
  },
  'a code of another attempt': {
    on: async (query, browser) => {
      query.set('code', fake.authorize(await begin(browser)).get('code') ?? '')
      return query
    }
  },
  'a code of another attempt at an authority that checks no verifier': {
    careless: true,
    on: async (query, browser) => {
      query.set('code', fake.authorize(await begin(browser)).get('code') ?? '')
      return query
    }
  },
  'a code of another browser at an authority that checks no verifier': {
    careless: true,
    on: async (query) => {
      query.set('code', fake.authorize(await begin(new Browser(portal.url))).get('code') ?? '')
      return query
    }
  },
  'a token endpoint that refuses the code': answered(400, '{"error":"invalid_grant"}', JSON_TYPE),
  'a token endpoint that refuses the client': {
    ...answered(401, '{"error":"invalid_client"}', { ...JSON_TYPE, 'www-authenticate': 'Basic realm="x"' }),
    leadsTo: 'misconfigured'
  },
  'a firewall in front of the token endpoint': {
    ...answered(403, '<h1>Blocked</h1>', HTML_TYPE),
    leadsTo: 'unavailable'
  },
  'a token endpoint that answers 404': { ...answered(404, ''), leadsTo: 'unavailable' },
  'a token endpoint that answers a page': {
    ...answered(200, '<h1>Hello</h1>', HTML_TYPE),
    leadsTo: 'unavailable'
  },
  'a token endpoint that answers null': answered(200, 'null', JSON_TYPE),
  'a token endpoint that answers half a document': {
    ...answered(200, '{"access_token":"x', JSON_TYPE),
    leadsTo: 'unavailable'
  },
  'a token endpoint that redirects': {
    ...answered(302, '', { location: `${fake.issuer}/token` }),
    leadsTo: 'unavailable'
  },
  'a token endpoint that fails': { ...answered(500, 'oops'), leadsTo: 'unavailable' },
  'a token endpoint that answers 429': {
    ...answered(429, '{"error":"slow_down"}', JSON_TYPE),
    leadsTo: 'unavailable'
  },
  'a token endpoint that hangs up': {
    instead: { token: (request) => request.socket.resetAndDestroy() },
    leadsTo: 'unavailable'
  },
  'a token endpoint with a huge answer': {
    tokens: { id_token: 'a'.repeat(20 * 1024 * 1024) }
  },
  'an API that forbids the person': { instead: { api: (_request, response) => json(response, 403, {}) } },
  'an API that refuses the token': { instead: { api: (_request, response) => json(response, 401, {}) } },
  'an API that answers nonsense': {
    instead: { api: (_request, response) => response.writeHead(200).end('<h1>User</h1>') },
    leadsTo: 'unavailable'
  },
  'an API that answers a user without an id': {
    instead: { api: (_request, response) => json(response, 200, { fullName: 'x' }) },
    leadsTo: 'unavailable'
  }
}

for (const [name, attempt] of Object.entries(CASES))
  t.test(`${name} signs nobody in`, (t) => tryOut(t, attempt))

t.test('signs nobody in when the store fails to keep the session', async (t) => {
  const browser = new Browser(portal.url)
  const query = fake.authorize(await begin(browser))
  store.isAway = true
  const answer = await browser.call(`/callback?${query}`)
  store.isAway = false
  await refused(t, browser, answer, 'unavailable')
})

t.test('accepts a question mark inside a parameter', async (t) => {
  const browser = new Browser(portal.url)
  const query = fake.authorize(await begin(browser))
  const answer = await browser.call(`/callback?session_state=a?b&${query}`)
  t.equal(answer.headers.get('location'), '/customers/9')
})

async function withDiscovery(t: Test, lies: Lies, clock = Date.now) {
  const authority = await startFakeAuthority(t)
  authority.lies = lies
  const { url } = await startPortal(t, { env: authority.env, startedSandbox: portal.sandbox, clock })
  return { authority, browser: new Browser(url) }
}

const DISCOVERY: Record<string, Lies> = {
  'a discovery of another issuer': { discovery: { issuer: 'https://elsewhere.example.com' } },
  'a discovery that is a page': {
    instead: { discovery: (_request, response) => response.writeHead(200).end('<h1>Hello</h1>') }
  },
  'a discovery that fails': { instead: { discovery: (_request, response) => json(response, 500, {}) } },
  'a discovery that redirects': {
    instead: {
      discovery: (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    }
  }
}

for (const [name, lies] of Object.entries(DISCOVERY)) {
  t.test(`${name} fails a sign-in, and the next one asks again`, async (t) => {
    const time = { now: Date.now() }
    const { authority, browser } = await withDiscovery(t, lies, () => time.now)
    const begun = await browser.call('/auth/login?returnTo=/customers/9')
    t.equal(begun.status, 302)
    t.equal(placeOf(begun), '/signin-failed?reason=unavailable')
    const asked = authority.count.discovery
    time.now += 999
    await browser.call('/auth/login')
    t.equal(authority.count.discovery, asked, 'not asked again at once')
    authority.reset()
    time.now += 1
    const again = authority.authorize((await browser.call('/auth/login')).headers.get('location') ?? '')
    t.ok((await browser.call(`/callback?${again}`)).ok || (await signedIn(browser)), 'a later sign-in')
  })
}

const MISSING: Record<string, [Lies, Reason]> = {
  'no authorization endpoint': [{ discovery: { authorization_endpoint: undefined } }, 'refused'],
  'no token endpoint': [{ discovery: { token_endpoint: undefined } }, 'refused'],
  'keys that are none': [
    { instead: { keys: (_request, response) => json(response, 200, { keys: [] }) } },
    'unavailable'
  ],
  'keys that cannot be had': [
    { instead: { keys: (_request, response) => json(response, 500, {}) } },
    'unavailable'
  ],
  'keys of somebody else': [
    {
      instead: {
        keys(_request, response) {
          const jwk = { ...stranger.publicKey.export({ format: 'jwk' }), kid: stranger.kid, alg: 'RS256' }
          json(response, 200, { keys: [jwk] })
        }
      }
    },
    'refused'
  ],
  'no algorithm that it signs with but HS256': [
    {
      discovery: { id_token_signing_alg_values_supported: ['HS256'] },
      forgery: { signature: 'public-key', header: { alg: 'HS256' } }
    },
    'refused'
  ]
}

for (const [name, [lies, reason]] of Object.entries(MISSING)) {
  t.test(`an authority with ${name} signs nobody in`, async (t) => {
    const { authority, browser } = await withDiscovery(t, lies)
    const begun = await browser.call('/auth/login')
    const location = begun.headers.get('location') ?? ''
    t.equal(begun.status, 302)
    if (location.startsWith('/')) {
      t.equal(placeOf(begun), `/signin-failed?reason=${reason}`)
      return t.notOk(await signedIn(browser))
    }
    const answer = await browser.call(`/callback?${authority.authorize(location)}`)
    await refused(t, browser, answer, reason)
  })
}
