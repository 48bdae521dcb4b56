// Sign-ins that must not succeed: whatever a misbehaving authority, or somebody between it and the browser, answers, the
// person lands on a page with a way on and nobody is signed in.
import { type AddressInfo, createServer } from 'node:net'
import t, { type Test } from 'tap'
import type { SessionBackend } from '#server/auth/sessions/backend.ts'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import type { SignInOutcome } from '#server/auth/sign-in-failures.ts'
import { Browser, startPortal } from '#test/support/portal.ts'
import {
  CLIENT,
  json,
  type Lies,
  random,
  seconds,
  startFakeAuthority
} from '../../../support/fake-authority.ts'
import { sentCookies } from '../../../support/sent-cookies.ts'

type Reason = 'expired' | SignInOutcome

/** What becomes of the callback's query on its way through the browser. */
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

/** Begins to sign in; the address at the authority. */
async function begin(browser: Browser): Promise<string> {
  const begun = await browser.call('/auth/login?returnTo=/customers/9')
  return begun.headers.get('location') ?? ''
}

async function signedIn(browser: Browser): Promise<boolean> {
  const state = (await (await browser.call('/auth/session')).json()) as { authenticated: boolean }
  return state.authenticated
}

/** No session, no cookie for one, and a page that says how to go on. */
async function refused(t: Test, browser: Browser, answer: Response, leadsTo: Reason): Promise<void> {
  t.equal(answer.status, 303, `answered with a redirect: ${await answer.text()}`)
  t.equal(answer.headers.get('location'), `/signin-failed?reason=${leadsTo}`)
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
const twice =
  (name: string, value?: string): Journey =>
  (query) =>
    `${query}&${name}=${encodeURIComponent(value ?? query.get(name) ?? '')}`
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
  'an ID token whose issuer has a slash more': { idToken: { iss: `${fake.issuer}/` } },
  'an ID token without an issuer': { idToken: { iss: undefined } },
  'an ID token whose issuer is a list': { idToken: { iss: [fake.issuer] } },
  'an ID token for another client': { idToken: { aud: 'another-client' } },
  'an ID token without an audience': { idToken: { aud: undefined } },
  'an ID token for an audience that only begins like ours': { idToken: { aud: `${CLIENT.id}-2` } },
  'an ID token for several, with no word on who asked for it': { idToken: { aud: [CLIENT.id, 'other'] } },
  'an ID token for several that another has asked for': {
    idToken: { aud: [CLIENT.id, 'other'], azp: 'other' }
  },
  'an ID token with another nonce': { idToken: { nonce: random() } },
  'an ID token without a nonce': { idToken: { nonce: undefined } },
  'an ID token with an empty nonce': { idToken: { nonce: '' } },
  'an ID token that has expired': { idToken: { exp: seconds() - 120, iat: seconds() - 300 } },
  'an ID token that never expires': { idToken: { exp: undefined } },
  'an ID token whose expiry is a text': { idToken: { exp: '4102444800' } },
  'an ID token that is not valid yet': { idToken: { nbf: seconds() + 600 } },
  'an ID token without the time of its making': { idToken: { iat: undefined } },
  'an ID token made an hour ahead': { idToken: { iat: seconds() + 3600, exp: seconds() + 7200 } },
  'an ID token made ten years ago': { idToken: { iat: seconds() - 315_360_000 } },
  'an ID token that another has asked for': { idToken: { azp: 'other' } },
  'an ID token whose asker is a number': { idToken: { azp: 7 } },
  'an ID token for us twice, with no word on who asked for it': { idToken: { aud: [CLIENT.id, CLIENT.id] } },
  'an ID token of an empty name': { idToken: { sub: '' } },
  'a logout token in its place': { forgery: { header: { typ: 'logout+jwt' } } },
  'an access token in its place': { forgery: { header: { typ: 'at+jwt' } } },
  'an ID token that came with another access token': { idToken: { at_hash: random() } },
  'an ID token whose access token is a list': { idToken: { at_hash: [random()] } },
  'an ID token whose access token is nothing': { idToken: { at_hash: '' } },
  'an ID token of nobody': { idToken: { sub: undefined } },
  'an ID token whose subject is a number': { idToken: { sub: 1 } },
  'an ID token signed by somebody else': { forgery: { key: stranger } },
  'an ID token signed by somebody else under a known key’s name': {
    forgery: { key: { ...stranger, kid: fake.keys[0]?.kid ?? '' } }
  },
  'an ID token with a signature of nothing': { forgery: { signature: 'garbled' } },
  'an ID token with an empty signature': { forgery: { signature: 'empty' } },
  'an ID token that says it is not signed': { forgery: { signature: 'none', header: { alg: 'none' } } },
  'an ID token that says so in capitals': { forgery: { signature: 'none', header: { alg: 'NONE' } } },
  'an ID token signed HS256 with the public key': {
    forgery: { signature: 'public-key', header: { alg: 'HS256' } }
  },
  'an ID token with extensions that must be understood': {
    forgery: { header: { crit: ['exp'], exp: 1 } }
  },
  'an ID token that is no token': { tokens: { id_token: 'a.b.c' }, leadsTo: 'unavailable' },
  'an ID token of five parts': { tokens: { id_token: 'a.b.c.d.e' } },
  'no ID token': { tokens: { id_token: undefined } },
  'no access token': { tokens: { access_token: undefined } },
  'an access token that is an object': { tokens: { access_token: { token: 'x' } } },
  'an empty access token': { tokens: { access_token: '' } },
  'an access token with a line break': { tokens: { access_token: 'a\nb' } },
  'an access token that no header can carry': { tokens: { access_token: 'tökén☃' } },
  'a lifetime below nothing': { tokens: { expires_in: -5 } },
  'a type of token that we do not know': { tokens: { token_type: 'mac' } },
  'a lifetime that is a text': { tokens: { expires_in: 'soon' } },
  'a callback without a code': { on: without('code') },
  'a callback with an empty code': { on: withParameter('code', '') },
  'a callback with a code that was never given': { on: withParameter('code', random()) },
  'a callback without a state': { on: without('state'), leadsTo: 'expired' },
  'a callback with an empty state': { on: withParameter('state', ''), leadsTo: 'expired' },
  'a callback with another state': { on: withParameter('state', random()), leadsTo: 'expired' },
  'a callback of another issuer': { on: withParameter('iss', 'https://elsewhere.example.com') },
  'a callback that names no issuer, though ours always does': { on: without('iss') },
  'a callback with two codes': { on: twice('code', 'another'), leadsTo: 'expired' },
  'a callback with the same code twice': { on: twice('code'), leadsTo: 'expired' },
  'a callback with two states': { on: twice('state', 'another'), leadsTo: 'expired' },
  'a callback with two issuers': { on: twice('iss', 'https://elsewhere.example.com'), leadsTo: 'expired' },
  'a callback with nothing': { on: () => '', leadsTo: 'expired' },
  'a callback of broken encoding': { on: () => 'state=%E0%A4%A&code=%', leadsTo: 'expired' },
  'a callback that carries tokens, as of the implicit flow': {
    on: (query) => {
      query.set('id_token', fake.token({ sub: 'u-1' }))
      query.set('access_token', 'x')
      return query
    }
  },
  'a person who would not sign in': { on: errorAnswer('access_denied'), leadsTo: 'denied' },
  'an authority that wants a sign-in page': { on: errorAnswer('login_required'), leadsTo: 'denied' },
  'an authority that did not understand us': { on: errorAnswer('invalid_request') },
  'an authority that failed': { on: errorAnswer('server_error'), leadsTo: 'failed' },
  'an authority that has too much to do': {
    on: errorAnswer('temporarily_unavailable'),
    leadsTo: 'unavailable'
  },
  'an error of an unknown name': { on: errorAnswer('no_such_error') },
  'an error beside a code': { on: withParameter('error', 'access_denied'), leadsTo: 'denied' },
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
  'a code of another attempt, where the authority checks no verifier': {
    careless: true,
    on: async (query, browser) => {
      query.set('code', fake.authorize(await begin(browser)).get('code') ?? '')
      return query
    }
  },
  'a code of another browser, where the authority checks no verifier': {
    careless: true,
    on: async (query) => {
      query.set('code', fake.authorize(await begin(new Browser(portal.url))).get('code') ?? '')
      return query
    }
  },
  'a callback that another browser began': {
    on: async () => fake.authorize(await begin(new Browser(portal.url))),
    leadsTo: 'expired'
  },
  'a token endpoint that refuses the code': answered(400, '{"error":"invalid_grant"}', JSON_TYPE),
  'a token endpoint that refuses us': {
    ...answered(401, '{"error":"invalid_client"}', { ...JSON_TYPE, 'www-authenticate': 'Basic realm="x"' }),
    leadsTo: 'refused'
  },
  'a token endpoint that refuses us without a challenge': {
    ...answered(401, '{"error":"invalid_client"}', JSON_TYPE),
    leadsTo: 'refused'
  },
  'a token endpoint that refuses with an empty body': answered(400, ''),
  'a token endpoint that refuses with a page': answered(400, '<h1>Refused</h1>', HTML_TYPE),
  'a token endpoint behind a firewall that answers a page': {
    ...answered(403, '<h1>Blocked</h1>', HTML_TYPE),
    leadsTo: 'unavailable'
  },
  'a token endpoint that is not there': { ...answered(404, ''), leadsTo: 'unavailable' },
  'a token endpoint that answers a page': {
    ...answered(200, '<h1>Hello</h1>', HTML_TYPE),
    leadsTo: 'unavailable'
  },
  'a token endpoint that calls a page JSON': {
    ...answered(200, '<h1>Hello</h1>', JSON_TYPE),
    leadsTo: 'unavailable'
  },
  'a token endpoint that answers nothing': { ...answered(200, '', JSON_TYPE), leadsTo: 'unavailable' },
  'a token endpoint that answers nothing of no type': { ...answered(200, ''), leadsTo: 'unavailable' },
  'a token endpoint that answers null': answered(200, 'null', JSON_TYPE),
  'a token endpoint that answers a list': answered(200, '[]', JSON_TYPE),
  'a token endpoint that answers half': {
    ...answered(200, '{"access_token":"x', JSON_TYPE),
    leadsTo: 'unavailable'
  },
  'a token endpoint that redirects': {
    ...answered(302, '', { location: `${fake.issuer}/token` }),
    leadsTo: 'unavailable'
  },
  'a token endpoint that keeps the body of a POST on its redirect': {
    ...answered(307, '', { location: 'http://127.0.0.1:1/' }),
    leadsTo: 'unavailable'
  },
  'a token endpoint that has no content': { ...answered(204, ''), leadsTo: 'unavailable' },
  'a token endpoint that fails': { ...answered(500, 'oops'), leadsTo: 'unavailable' },
  'a token endpoint that is down for work': {
    ...answered(503, '', { 'retry-after': '3600' }),
    leadsTo: 'unavailable'
  },
  'a token endpoint that has enough of us': {
    ...answered(429, '{"error":"slow_down"}', JSON_TYPE),
    leadsTo: 'unavailable'
  },
  'a token endpoint that hangs up': {
    instead: { token: (request) => request.socket.resetAndDestroy() },
    leadsTo: 'unavailable'
  },
  'a token endpoint that hangs up in its answer': {
    instead: {
      token(request, response) {
        response.writeHead(200, { ...JSON_TYPE, 'content-length': 1000 }).write('{"access_token":"')
        setImmediate(() => request.socket.destroy())
      }
    },
    leadsTo: 'unavailable'
  },
  'a token endpoint whose answer is huge': {
    tokens: { id_token: 'a'.repeat(20 * 1024 * 1024) }
  },
  'an ID token that is huge': { idToken: { name: 'a'.repeat(4 * 1024 * 1024), aud: 'another-client' } },
  'an API that does not know the person': {
    instead: { api: (_request, response) => json(response, 404, {}) }
  },
  'an API that forbids the person': { instead: { api: (_request, response) => json(response, 403, {}) } },
  'an API that refuses the token': {
    instead: { api: (_request, response) => json(response, 401, {}) },
    leadsTo: 'refused'
  },
  'an API that answers nonsense': {
    instead: { api: (_request, response) => response.writeHead(200).end('<h1>User</h1>') },
    leadsTo: 'unavailable'
  },
  'an API that answers somebody without a name': {
    instead: { api: (_request, response) => json(response, 200, { fullName: 'x' }) },
    leadsTo: 'unavailable'
  },
  'an API that fails': {
    instead: { api: (_request, response) => json(response, 500, {}) },
    leadsTo: 'unavailable'
  }
}

for (const [name, attempt] of Object.entries(CASES))
  t.test(`${name} signs nobody in`, (t) => tryOut(t, attempt))

t.test('an authority that hangs is given up after a while, all its people at once', async (t) => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  t.teardown(() => silent.close())
  const { port } = silent.address() as AddressInfo
  const deaf = await startPortal(t, {
    env: { ...fake.env, OIDC_ISSUER: `http://127.0.0.1:${port}/op` },
    startedSandbox: portal.sandbox
  })
  const begun = new Browser(deaf.url).call('/auth/login')

  const hanging: Lies[] = [
    { instead: { token: () => {} } },
    { instead: { token: (_request, response) => response.writeHead(200, JSON_TYPE).write('{"a":"') } }
  ]
  const people = await Promise.all(
    hanging.map(async (lies) => {
      const { authority, portal, browser } = await withDiscovery(t, {})
      const query = authority.authorize(await begin(browser))
      authority.lies = lies
      return { portal, browser, query }
    })
  )
  const answers = await Promise.all(people.map(({ browser, query }) => browser.call(`/callback?${query}`)))
  for (const [index, { browser }] of people.entries())
    await refused(t, browser, answers[index] as Response, 'slow')
  t.equal((await begun).headers.get('location'), '/signin-failed?reason=slow', 'nor is it discovered')
})

t.test('a store that is away when the session is to be kept signs nobody in', async (t) => {
  const browser = new Browser(portal.url)
  const query = fake.authorize(await begin(browser))
  store.isAway = true
  const answer = await browser.call(`/callback?${query}`)
  store.isAway = false
  await refused(t, browser, answer, 'unavailable')
})

t.test('a question mark inside a parameter is part of it', async (t) => {
  const browser = new Browser(portal.url)
  const query = fake.authorize(await begin(browser))
  const answer = await browser.call(`/callback?session_state=a?b&${query}`)
  t.equal(answer.headers.get('location'), '/customers/9')
})

t.test('a callback works once', async (t) => {
  const browser = new Browser(portal.url)
  const query = fake.authorize(await begin(browser))
  const first = await browser.call(`/callback?${query}`)
  t.equal(first.headers.get('location'), '/customers/9', 'an honest sign-in succeeds')
  t.ok(await signedIn(browser))
  const again = await browser.call(`/callback?${query}`)
  t.equal(again.headers.get('location'), '/signin-failed?reason=expired')
  t.ok(await signedIn(browser), 'and a replay does not sign anybody out')
})

/** A gateway of its own, for what is read once. */
async function withDiscovery(t: Test, lies: Lies) {
  const authority = await startFakeAuthority(t)
  authority.lies = lies
  const other = await startPortal(t, { env: authority.env, startedSandbox: portal.sandbox })
  return { authority, portal: other, browser: new Browser(other.url) }
}

const DISCOVERY: Record<string, Lies> = {
  'a discovery of another issuer': { discovery: { issuer: 'https://elsewhere.example.com' } },
  'a discovery of an issuer with a slash more': { discovery: { issuer: `${fake.issuer}/` } },
  'a discovery that names no issuer': { discovery: { issuer: undefined } },
  'a discovery that is a page': {
    instead: { discovery: (_request, response) => response.writeHead(200).end('<h1>Hello</h1>') }
  },
  'a discovery that is null': { instead: { discovery: (_request, response) => json(response, 200, null) } },
  'a discovery that is not there': {
    instead: { discovery: (_request, response) => json(response, 404, {}) }
  },
  'a discovery that fails': { instead: { discovery: (_request, response) => json(response, 500, {}) } },
  'a discovery that redirects': {
    instead: {
      discovery: (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
    }
  },
  'a discovery that hangs up': { instead: { discovery: (request) => request.socket.resetAndDestroy() } }
}

for (const [name, lies] of Object.entries(DISCOVERY)) {
  t.test(`${name} leads to the page that says so, and the next try asks again`, async (t) => {
    const time = { now: Date.now() }
    const authority = await startFakeAuthority(t)
    authority.lies = lies
    const other = await startPortal(t, {
      env: authority.env,
      startedSandbox: portal.sandbox,
      clock: () => time.now
    })
    const browser = new Browser(other.url)
    const begun = await browser.call('/auth/login?returnTo=/customers/9')
    t.equal(begun.status, 302)
    t.equal(begun.headers.get('location'), '/signin-failed?reason=unavailable')
    t.notOk((await sentCookies(browser.jar)).some((cookie) => cookie.startsWith('portal=')))
    authority.reset()
    time.now += 60_000
    const again = authority.authorize((await browser.call('/auth/login')).headers.get('location') ?? '')
    t.ok(
      (await browser.call(`/callback?${again}`)).ok || (await signedIn(browser)),
      'once it is well, people sign in'
    )
  })
}

const MISSING: Record<string, [Lies, Reason]> = {
  'no authorization endpoint': [{ discovery: { authorization_endpoint: undefined } }, 'refused'],
  'an authorization endpoint that is no address': [
    { discovery: { authorization_endpoint: 'nowhere' } },
    'refused'
  ],
  'no token endpoint': [{ discovery: { token_endpoint: undefined } }, 'refused'],
  'a token endpoint that nobody answers': [
    { discovery: { token_endpoint: 'http://127.0.0.1:1/' } },
    'unavailable'
  ],
  'no keys': [{ discovery: { jwks_uri: undefined } }, 'unavailable'],
  'keys that are a page': [
    { instead: { keys: (_request, response) => response.writeHead(200).end('<h1>Keys</h1>') } },
    'unavailable'
  ],
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
  'keys at an address that nobody answers': [
    { discovery: { jwks_uri: 'http://127.0.0.1:1/' } },
    'unavailable'
  ],
  'no algorithm that it signs with but HS256': [
    {
      discovery: { id_token_signing_alg_values_supported: ['HS256'] },
      forgery: { signature: 'public-key', header: { alg: 'HS256' } }
    },
    'refused'
  ],
  'no algorithm that it signs with but none': [
    {
      discovery: { id_token_signing_alg_values_supported: ['none'] },
      forgery: { signature: 'none', header: { alg: 'none' } }
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
      t.equal(location, `/signin-failed?reason=${reason}`)
      return t.notOk(await signedIn(browser))
    }
    const answer = await browser.call(`/callback?${authority.authorize(location)}`)
    await refused(t, browser, answer, reason)
  })
}

t.test('no secret of a sign-in, and nothing unexpected, is in the log', async (t) => {
  const told = portal.logged.join('\n')
  t.notMatch(told, /"level":"(?:error|fatal)"/, 'no failure that was not foreseen')
  t.notOk(told.includes(CLIENT.secret))
  t.notMatch(told, /code_verifier|refresh_token"|eyJ[\w-]{20,}\.[\w-]{20,}\.[\w-]{20,}/)
})
