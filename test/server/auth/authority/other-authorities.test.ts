// Authorities differ within what the standards leave open. Whatever this one does: people sign in, stay signed in, are
// signed out when it says so and only then, and nothing ends in a failure.
import t, { type Test } from 'tap'
import type { SessionBackend } from '#server/auth/sessions/backend.ts'
import { createMemoryBackend } from '#server/auth/sessions/memory.ts'
import { type SandboxOptions, startSandbox } from '#test/sandbox/app.ts'
import { INTERNAL_SERVICE, PASSWORD } from '#test/sandbox/sign-ins.ts'
import {
  Browser,
  type Portal,
  type PortalOptions,
  signIn,
  startPortal,
  upToCallback
} from '#test/support/portal.ts'
import {
  type Answer,
  callWith,
  json,
  type Lies,
  signInWith,
  startFakeAuthority
} from '../../../support/fake-authority.ts'
import { eventually } from '../../../support/redis-server.ts'
import { createStopwatch } from '../../../support/stopwatch.ts'

const ME = '/api/v2/management/myUser'
const measure = createStopwatch()

type Habits = NonNullable<SandboxOptions['authority']>

async function portalAt(t: Test, authority: Habits, env: Record<string, string> = {}): Promise<Portal> {
  const sandbox = await startSandbox({ authority })
  t.teardown(() => sandbox.stop())
  return startPortal(t, { startedSandbox: sandbox, env })
}

const status = async (browser: Browser, path = ME, method = 'GET') => {
  const answer = await browser.call(path, { method })
  await answer.arrayBuffer()
  return answer.status
}

function nothingUnexpected(t: Test, { logged }: { logged: string[] }): void {
  t.strictSame(
    logged.filter((line) => /"level":"(?:error|fatal)"/.test(line)).slice(0, 2),
    [],
    'no failure of ours'
  )
}

/** A whole visit: in, two refreshes, out. */
async function visit(t: Test, portal: Portal): Promise<Browser> {
  const { sandbox } = portal
  const browser = await signIn(portal.url, sandbox, 'customer.admin')
  t.equal(await status(browser), 200)
  for (const time of ['first', 'second']) {
    const before = sandbox.grants.refresh_token
    sandbox.refuseIssuedAccessTokens()
    t.equal(await status(browser), 200, `the ${time} refresh`)
    t.equal(sandbox.grants.refresh_token - before, 1)
    t.equal(await status(browser), 200, 'and its token is good')
  }
  t.equal(sandbox.grants.reused_refresh, 0)
  t.equal(await status(browser, '/auth/session/renew', 'POST'), 200)
  nothingUnexpected(t, portal)
  return browser
}

const refusing: Habits = {}
const refused = await portalAt(t, refusing)
const fake = await startFakeAuthority(t)

t.test('an authority that knows one way for clients to prove themselves', async (t) => {
  for (const way of ['basic', 'post'] as const) {
    await t.test(way, async (t) => {
      const portal = await portalAt(t, { clientAuth: way }, { OIDC_CLIENT_AUTH: way })
      const browser = await visit(t, portal)
      const out = await browser.call('/auth/logout', { method: 'POST' })
      t.equal(out.status, 200)
      t.ok(portal.sandbox.grants.revoked > 0, 'the tokens are handed back')
    })
  }
  await t.test('and that is another than the one that is set', async (t) => {
    const portal = await portalAt(t, { clientAuth: 'post' }, { OIDC_CLIENT_AUTH: 'basic' })
    const browser = new Browser(portal.url)
    const callback = await upToCallback(browser, portal.sandbox, 'customer.admin')
    const answer = await browser.jar.fetch(callback)
    t.equal(answer.status, 303)
    t.match(answer.headers.get('location'), /^\/signin-failed\?reason=refused$/)
    nothingUnexpected(t, portal)
  })
})

const ANSWERS: Record<string, NonNullable<Habits['refreshAnswers']>> = {
  'no ID token': { idToken: false },
  'no new refresh token': { refreshToken: false },
  'no scope': { scope: false },
  'no lifetime': { expiresIn: false },
  'nothing but an access token': { idToken: false, refreshToken: false, scope: false, expiresIn: false }
}
for (const [name, refreshAnswers] of Object.entries(ANSWERS))
  t.test(`an authority whose refreshes answer ${name}`, async (t) => {
    await visit(t, await portalAt(t, { refreshAnswers }))
  })

/** How a refresh is refused, and whether that speaks of the person's tokens or of something that may pass. */
const REFUSALS: [name: string, refusal: Habits['refusal'], ends: boolean][] = [
  ['as most do', {}, true],
  ['with invalid_token', { error: 'invalid_token' }, true],
  ['with interaction_required', { error: 'interaction_required' }, true],
  ['with a code of its own', { error: 'urn:example:gone' }, true],
  ['with 401', { status: 401 }, true],
  ['with 403 and access_denied', { status: 403, error: 'access_denied' }, true],
  ['with 400 and nothing to say', { body: 'empty' }, true],
  ['with 400 and a page', { body: 'html' }, true],
  ['with 403 and a page, as a firewall does', { status: 403, body: 'html' }, false],
  ['with 401 and invalid_client', { status: 401, error: 'invalid_client' }, false],
  ['with 400 and invalid_client', { error: 'invalid_client' }, false],
  ['with unauthorized_client', { error: 'unauthorized_client' }, false],
  ['with temporarily_unavailable', { error: 'temporarily_unavailable' }, false],
  ['with server_error', { error: 'server_error' }, false],
  ['with 429', { status: 429, error: 'slow_down' }, false],
  ['with 500', { status: 500 }, false],
  ['with 502 and a page', { status: 502, body: 'html' }, false],
  ['with 503 and nothing', { status: 503, body: 'empty' }, false]
]
for (const [name, refusal, ends] of REFUSALS) {
  t.test(`an authority that refuses a refresh ${name}`, async (t) => {
    Object.assign(refusing, { refusal })
    const portal = refused
    const { sandbox } = portal
    const browser = await signIn(portal.url, sandbox, 'customer.admin')
    t.equal(await status(browser), 200)
    const user = sandbox.state.users.get('u-customer-admin')
    if (!user) return t.fail('there is no such user')
    user.status = 'DISABLED'
    sandbox.refuseIssuedAccessTokens()
    const answer = await browser.call(ME)
    t.equal(answer.status, ends ? 401 : 503, await answer.text())
    if (!ends) t.strictSame(answer.headers.getSetCookie(), [], 'the cookie is kept')
    user.status = 'ACTIVE'
    t.equal(await status(browser), ends ? 401 : 200, ends ? 'the session is over' : 'and the session goes on')
    nothingUnexpected(t, portal)
    await signIn(portal.url, sandbox, 'customer.admin')
    t.pass('one can sign in again')
  })
}

t.test('an authority that names no address to end sessions or revoke tokens', async (t) => {
  for (const omit of [
    ['revocation_endpoint'],
    ['end_session_endpoint'],
    ['revocation_endpoint', 'end_session_endpoint']
  ] as const) {
    await t.test(omit.join(' and '), async (t) => {
      const portal = await portalAt(t, { omit: [...omit] })
      const browser = await visit(t, portal)
      const out = await browser.call('/auth/logout', { method: 'POST' })
      t.equal(out.status, 200)
      const { redirect } = (await out.json()) as { redirect: string }
      const names = !omit.some((one) => one === 'end_session_endpoint')
      t.match(redirect, names ? `${portal.sandbox.issuer}/` : `${portal.url}/`, 'there is somewhere to go')
      t.equal(await status(browser), 401)
      nothingUnexpected(t, portal)
    })
  }
})

t.test('an authority that changes its keys', async (t) => {
  const portal = await portalAt(t, {})
  const { sandbox } = portal
  const browser = await signIn(portal.url, sandbox, 'customer.admin')
  await sandbox.rotateKeys()
  t.equal(await status(browser), 200, 'sessions go on')
  sandbox.refuseIssuedAccessTokens()
  t.equal(await status(browser), 200, 'and are refreshed')
  await sandbox.rotateKeys()
  sandbox.refuseIssuedAccessTokens()
  t.equal(await status(browser), 200, 'also when the first key is gone')
  nothingUnexpected(t, portal)
})

t.test('an authority that has changed its keys just before a sign-in', async (t) => {
  fake.reset()
  const time = { now: Date.now() }
  const portal = await startPortal(t, { env: fake.env, clock: () => time.now })
  await signInWith(fake, portal.url)
  const added = fake.newKey()
  fake.keys.unshift(added)
  t.teardown(() => fake.keys.shift())
  const asked = fake.count.keys
  time.now += 5_000
  await signInWith(fake, portal.url)
  t.equal(fake.count.keys, asked + 1, 'one look at the new keys is enough')
})

t.test('an authority whose access tokens are for several', async (t) => {
  for (const audience of [['urn:sandbox:api', 'urn:other:api'], ['urn:sandbox:api'], 'urn:sandbox:api']) {
    const portal = await portalAt(t, { audience }, { OIDC_AUDIENCE: 'urn:sandbox:api' })
    const { sandbox } = portal
    await visit(t, portal)
    const credentials = Buffer.from(`${INTERNAL_SERVICE}:${PASSWORD}`).toString('base64')
    const granted = await fetch(`${sandbox.issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'ncp:read' })
    })
    const { access_token } = (await granted.json()) as { access_token: string }
    const answer = await fetch(portal.url + ME, { headers: { authorization: `Bearer ${access_token}` } })
    t.equal(answer.status, 200, `a service with ${JSON.stringify(audience)}`)
    await answer.arrayBuffer()
  }
})

/** At the fake one, which is the API as well: what stands behind it is not asked. */
const portalAtFake = (t: Test, options: PortalOptions = {}) =>
  startPortal(t, { startedSandbox: refused.sandbox, ...options, env: { ...fake.env, ...options.env } })

/** What an authority may say of a sign-in that ours does not. */
const FORMS: Record<string, Lies> = {
  'an ID token for a list of one': { idToken: { aud: ['portal'] } },
  'an ID token for several, asked for by us': { idToken: { aud: ['portal', 'other'], azp: 'portal' } },
  'an ID token without a session': { idToken: { sid: undefined } },
  'an ID token with much more in it': {
    idToken: {
      groups: Array.from({ length: 200 }, (_, index) => `group-${index}`),
      address: { a: { b: [1] } }
    }
  },
  'an ID token that names its access token': { hashed: true },
  'an ID token without a type': { forgery: { header: { typ: undefined } } },
  'bearer in small letters': { tokens: { token_type: 'bearer' } },
  'bearer in capitals': { tokens: { token_type: 'BEARER' } },
  'a lifetime as a text': { tokens: { expires_in: '300' } },
  'no lifetime': { tokens: { expires_in: undefined } },
  'no refresh token': { tokens: { refresh_token: undefined } },
  'no scope': { tokens: { scope: undefined } },
  'less scope than asked for': { tokens: { scope: 'openid' } },
  'fields that nobody knows': {
    tokens: { ext_expires_in: 300, not_before: 0, foci: '1', nested: { a: [] } }
  },
  'no word on who answers': { discovery: { authorization_response_iss_parameter_supported: undefined } },
  'a discovery with much more in it': {
    discovery: { claims_supported: ['sub'], check_session_iframe: 'https://x' }
  },
  'a discovery that does not name how clients prove themselves': {
    discovery: { token_endpoint_auth_methods_supported: undefined }
  }
}
for (const [name, lies] of Object.entries(FORMS)) {
  t.test(`an authority with ${name}`, async (t) => {
    fake.reset()
    fake.lies = lies
    const portal = await portalAtFake(t)
    const cookie = await signInWith(fake, portal.url, 'u-forms')
    const answer = await callWith(cookie, portal.url, ME)
    t.equal(answer.status, 200)
    t.match(await answer.json(), { id: 'u-forms' })
    const out = await callWith(cookie, portal.url, '/auth/logout', { method: 'POST' })
    t.equal(out.status, 200)
    nothingUnexpected(t, portal)
  })
}

t.test('without a refresh token a session lasts as long as its access token, and ends cleanly', async (t) => {
  fake.reset()
  fake.lies = { tokens: { refresh_token: undefined } }
  const time = { now: Date.now() }
  const portal = await portalAtFake(t, { clock: () => time.now })
  const cookie = await signInWith(fake, portal.url, 'u-short')
  t.match(portal.logged.join(''), 'signed in without a refresh token', 'whose operator is told at once')
  time.now += 280_000
  t.equal((await callWith(cookie, portal.url, ME)).status, 200, 'up to its end')
  time.now += 25_000
  const over = await callWith(cookie, portal.url, ME)
  t.equal(over.status, 401)
  t.match(await over.json(), { type: 'urn:portal:problem:not_signed_in' })
  t.match(portal.logged.join(''), '"outcome":"no refresh token"', 'it was not the authority that ended it')
  nothingUnexpected(t, portal)
})

t.test('secrets with any letters reach the authority as they are', async (t) => {
  for (const [way, secret] of [
    ['basic', 'a secret: with +/%&? and ü'],
    ['post', 'a secret: with +/%&? and ü']
  ] as const) {
    fake.reset()
    const portal = await portalAtFake(t, {
      env: { OIDC_CLIENT_AUTH: way, OIDC_CLIENT_SECRET: secret, OIDC_CLIENT_ID: 'portal' }
    })
    await signInWith(fake, portal.url, 'u-secret')
    const asked = fake.asked.find(({ endpoint }) => endpoint === 'token')
    const basic = Buffer.from((asked?.authorization ?? '').replace('Basic ', ''), 'base64').toString()
    const form = new URLSearchParams({ client_secret: secret }).toString().split('=')[1] ?? ''
    if (way === 'basic')
      t.ok(decodeURIComponent(basic.split(':')[1]?.replaceAll('+', ' ') ?? '') === secret, basic)
    else t.equal(asked?.form.get('client_secret'), secret, form)
  }
})

t.test(
  'while the authority is away, sessions go on until their tokens end, and no longer tell lies',
  async (t) => {
    fake.reset()
    const time = { now: Date.now() }
    const portal = await portalAtFake(t, { clock: () => time.now })
    const cookie = await signInWith(fake, portal.url, 'u-away')
    for (const endpoint of ['token', 'keys', 'discovery', 'revoke'] as const)
      fake.lies.instead = {
        ...fake.lies.instead,
        [endpoint]: (_request: never, response: Parameters<typeof json>[0]) => json(response, 503, {})
      }
    time.now += 250_000
    t.equal((await callWith(cookie, portal.url, ME)).status, 200, 'ahead of the end the old token still does')
    time.now += 60_000
    const late = await callWith(cookie, portal.url, ME)
    t.equal(late.status, 503)
    t.strictSame(late.headers.getSetCookie(), [])
    t.equal((await callWith(cookie, portal.url, '/auth/session')).status, 200)
    fake.reset()
    t.equal((await callWith(cookie, portal.url, ME)).status, 200, 'and afterwards all is well')
    nothingUnexpected(t, portal)
  }
)

/** An API that takes no token that it has seen before `expire`. */
function forgetfulApi() {
  const [seen, expired] = [new Set<string>(), new Set<string>()]
  const api: Answer = (request, response) => {
    const bearer = request.headers.authorization ?? ''
    if (expired.has(bearer)) return json(response, 401, {})
    seen.add(bearer)
    json(response, 200, { id: 'u-1', roleAssignments: [] })
  }
  return {
    api,
    expire() {
      for (const bearer of seen) expired.add(bearer)
    }
  }
}

t.test('a refresh while the authority’s keys cannot be had is not lost', async (t) => {
  fake.reset()
  const { api, expire } = forgetfulApi()
  fake.lies = { instead: { api } }
  const portal = await portalAtFake(t)
  const cookie = await signInWith(fake, portal.url)
  t.equal((await callWith(cookie, portal.url, ME)).status, 200)
  const asked = fake.count.keys
  for (let time = 0; time < 3; time += 1) {
    expire()
    fake.lies = { instead: { api, keys: (_request, response) => json(response, 500, {}) } }
    t.equal((await callWith(cookie, portal.url, ME)).status, 200)
  }
  t.equal(fake.count.reused, 0)
  t.ok(fake.count.keys - asked <= 1, 'nor are the keys asked for with every refresh')
  fake.lies = { instead: { api }, idToken: { sub: 'somebody-else' } }
  expire()
  t.equal((await callWith(cookie, portal.url, ME)).status, 401, 'tokens of somebody else end the session')
  nothingUnexpected(t, portal)
})

t.test(
  'an authority that hangs holds a call for 5 s, the next ones not at all, and loses no tokens',
  async (t) => {
    fake.reset()
    const { api, expire } = forgetfulApi()
    fake.lies = { instead: { api } }
    const time = { now: Date.now() }
    const portal = await portalAtFake(t, { clock: () => time.now })
    const [one, other] = [
      await signInWith(fake, portal.url, 'u-1'),
      await signInWith(fake, portal.url, 'u-2')
    ]
    for (const cookie of [one, other]) t.equal((await callWith(cookie, portal.url, ME)).status, 200)
    expire()
    // It has granted, and its answer is under way for longer than anybody waits.
    const answered = Promise.withResolvers<void>()
    t.teardown(answered.resolve)
    fake.lies.granted = answered.promise
    const timed = async (cookie: string) => {
      const taken = measure()
      const answer = await callWith(cookie, portal.url, ME)
      return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')), ms: taken() }
    }
    const begun = performance.now()
    const held = await timed(one)
    t.match(held, { status: 503 })
    t.ok(held.retryAfter >= 1)
    t.ok(performance.now() - begun >= 4_500 && held.ms < 6_500, `${held.ms} ms`)
    const next = await timed(other)
    t.equal(next.status, 503)
    t.ok(next.ms < 2_000, `${next.ms} ms`)
    t.equal(fake.count.refresh, 1, 'one is enough to find out')
    fake.lies = { instead: { api } }
    answered.resolve()
    await eventually(async () => (await timed(one)).status === 200)
    t.equal(fake.count.refresh, 1, 'what it granted was kept')
    await eventually(async () => (await timed(other)).status === 200)
    t.equal(fake.count.reused, 0)
    nothingUnexpected(t, portal)
  }
)

t.test('tokens that come for a session that has ended meanwhile are handed back', async (t) => {
  fake.reset()
  const { api, expire } = forgetfulApi()
  fake.lies = { instead: { api } }
  const portal = await portalAtFake(t)
  const cookie = await signInWith(fake, portal.url)
  t.equal((await callWith(cookie, portal.url, ME)).status, 200)
  expire()
  const newest = fake.issue('u-1')
  const held: (() => void)[] = []
  fake.lies.instead = {
    api,
    token: (_request, response) => void held.push(() => json(response, 200, newest))
  }
  const slow = callWith(cookie, portal.url, ME)
  await eventually(() => held.length === 1)
  t.equal((await callWith(cookie, portal.url, '/auth/logout', { method: 'POST' })).status, 200)
  held[0]?.()
  t.equal((await slow).status, 401)
  await eventually(() =>
    fake.asked.some(
      ({ endpoint, form }) => endpoint === 'revoke' && form.get('token') === newest.refresh_token
    )
  )
  t.pass('the refresh token that nobody needs')
})

t.test('new tokens that were kept, though the store said so too late, are kept', async (t) => {
  fake.reset()
  const memory = createMemoryBackend(Date.now)
  t.teardown(() => memory.close())
  const store = { isLate: false }
  const backend: SessionBackend = {
    ...memory,
    async replaceTokens(...parameters) {
      const done = await memory.replaceTokens(...parameters)
      if (!store.isLate) return done
      store.isLate = false
      throw new Error('Command timed out')
    }
  }
  const { api, expire } = forgetfulApi()
  fake.lies = { instead: { api } }
  const portal = await portalAtFake(t, { backend })
  const cookie = await signInWith(fake, portal.url)
  t.equal((await callWith(cookie, portal.url, ME)).status, 200)
  expire()
  store.isLate = true
  t.equal((await callWith(cookie, portal.url, ME)).status, 200)
  t.equal((await callWith(cookie, portal.url, ME)).status, 200)
  t.equal(fake.count.reused, 0)
})
