import t from 'tap'
import type { Bootstrap, SessionState } from '#shared/entities.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { SIGN_INS } from '#test/sandbox/sign-ins.ts'
import { Browser, freePort, signIn, startPortal, upToCallback } from '#test/support/portal.ts'
import { cookiesOf, leadsTo, REFUSED, sessionOf, UNAVAILABLE, visitsOf } from '../../support/visits.ts'

const BOOTSTRAP = '/api/portal/v1/bootstrap'
const PROJECTS = `/api/portal/v1/customers/${NOTABLE.northwind}/projects`

const portal = await startPortal(t)
const { sandbox } = portal
const visit = visitsOf(portal)
t.afterEach(() => sandbox.faults.clear())

t.test('a sign-in that the authority refuses says so', async (t) => {
  for (const [query, page] of [
    ['error=access_denied', '/signin-failed?reason=denied'],
    ['error=login_required&error_description=<script>', '/signin-failed?reason=denied'],
    ['error=server_error', '/signin-failed?reason=failed'],
    ['code=never-issued', REFUSED]
  ] as const) {
    const begun = await visit('/auth/login')
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state')
    const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const answer = await visit(`/callback?${query}&state=${state}&iss=${sandbox.issuer}`, cookie)
    await leadsTo(t, answer, page, query)
  }
  const browser = new Browser(portal.url)
  const callback = await upToCallback(browser, sandbox, 'partner.user')
  const foreign = callback.replace(/iss=[^&]*/, 'iss=https%3A%2F%2Fevil.example')
  await leadsTo(t, await browser.jar.fetch(foreign), REFUSED, 'an answer of another issuer')
})

t.test('an authority or an upstream in trouble lets nobody in, and says to try later', async (t) => {
  const cases = [
    ['management', '500', UNAVAILABLE],
    ['management', '503', UNAVAILABLE],
    ['management', 'reset', UNAVAILABLE],
    ['management', 'garbage', UNAVAILABLE],
    ['management', '401', REFUSED],
    ['management', '403', REFUSED],
    ['oidc', '500', UNAVAILABLE],
    ['oidc', '503', UNAVAILABLE],
    ['oidc', '429', UNAVAILABLE],
    ['oidc', 'reset', UNAVAILABLE],
    ['oidc', '400', REFUSED]
  ] as const
  for (const [api, fault, page] of cases) {
    const browser = new Browser(portal.url)
    const callback = await upToCallback(browser, sandbox, 'partner.user')
    sandbox.faults.set(api, fault)
    await leadsTo(t, await browser.jar.fetch(callback), page, `${api} ${fault}`)
    sandbox.faults.clear()
    t.equal((await browser.call(BOOTSTRAP)).status, 401)
  }
})

t.test('the log says who did not do its part, and in whose words', async (t) => {
  const told = async (api: 'management' | 'oidc', fault: string) => {
    const browser = new Browser(portal.url)
    const callback = await upToCallback(browser, sandbox, 'partner.user')
    sandbox.faults.set(api, fault)
    await browser.jar.fetch(callback)
    sandbox.faults.clear()
    return JSON.parse(portal.logged.findLast((line) => line.includes('sign-in did not finish')) ?? '{}')
  }
  const cases = [
    ['management', '401', { outcome: 'refused', by: 'management API', reason: 'upstream_unauthorized' }],
    ['management', '500', { outcome: 'unavailable', by: 'management API', reason: 'upstream_failed' }],
    ['oidc', '503', { outcome: 'unavailable', by: 'authority' }]
  ] as const
  for (const [api, fault, line] of cases) t.match(await told(api, fault), line, `${api} ${fault}`)
})

t.test('a wrong client secret is refused in the words of the authority', async (t) => {
  const other = await startPortal(t, {
    startedSandbox: sandbox,
    env: { OIDC_CLIENT_SECRET: 'another secret', OIDC_AUTHORIZATION_PARAMS: 'prompt=login&ui_locales=de' }
  })
  const browser = new Browser(other.url)
  const callback = await upToCallback(browser, sandbox, 'partner.user')
  await leadsTo(t, await browser.jar.fetch(callback), REFUSED, 'at the callback')
  const line = other.logged.find((one) => one.includes('sign-in did not finish')) ?? '{}'
  t.match(JSON.parse(line), { by: 'authority', reason: 'invalid_client' })
  const begun = await browser.call('/auth/login')
  const asked = new URL(begun.headers.get('location') ?? '').searchParams
  t.match(Object.fromEntries(asked), { prompt: 'login', ui_locales: 'de', response_type: 'code' })
})

t.test('an authority that was never reached leads to a page too, and is asked again later', async (t) => {
  const clock = { now: Date.now() }
  const issuer = `http://localhost:${await freePort()}/oidc`
  const away = await startPortal(t, {
    startedSandbox: sandbox,
    clock: () => clock.now,
    env: { OIDC_ISSUER: issuer }
  })
  for (let attempt = 0; attempt < 3; attempt += 1) {
    clock.now += 2000
    const answer = await fetch(`${away.url}/auth/login`, { redirect: 'manual' })
    t.equal(answer.status, 302)
    t.equal(answer.headers.get('location'), UNAVAILABLE)
  }
  t.notMatch(away.logged.join(''), /"level":"error"/)
})

t.test('everybody of the sample can sign in, and is who they are', async (t) => {
  for (const { username, fullName, userType } of SIGN_INS) {
    const browser = await portal.as(username)
    const { user } = await browser.json<Bootstrap>(BOOTSTRAP)
    t.match(user, { fullName, userType, email: `${username}@portal.example` }, username)
  }
})

t.test('after signing in, people are where they wanted to be, and never on another site', async (t) => {
  const cases: [asked: string | null, led: string][] = [
    [null, '/'],
    ['https://evil.example', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/auth/login', '/'],
    ['/customers/c-1001?project=3&x=%2F#row', '/customers/c-1001?project=3&x=%2F#row']
  ]
  for (const [asked, led] of cases) {
    const browser = new Browser(portal.url)
    const callback = await upToCallback(browser, sandbox, 'partner.user', asked ?? '')
    t.equal((await browser.jar.fetch(callback)).headers.get('location'), led, String(asked))
    const again = await browser.jar.fetch(
      `${portal.url}/auth/login?returnTo=${encodeURIComponent(asked ?? '')}`
    )
    t.equal(again.headers.get('location'), led, `${asked}, when signed in already`)
  }
  const twice = await visit('/auth/login?returnTo=/a&returnTo=/b')
  t.match(twice.headers.get('location'), sandbox.issuer, 'two of them are none')
})

t.test('signing in asks the authority as the standards want it', async (t) => {
  const begun = await visit('/auth/login?returnTo=/x')
  t.equal(begun.status, 302)
  t.equal(begun.headers.get('cache-control'), 'no-store')
  const sent = new URL(begun.headers.get('location') ?? '')
  t.match(Object.fromEntries(sent.searchParams), {
    client_id: sandbox.client.id,
    response_type: 'code',
    redirect_uri: `${portal.url}/callback`,
    scope: 'openid profile email offline_access ncp:read ncp:write',
    code_challenge_method: 'S256',
    code_challenge: /^[\w-]{43}$/,
    state: /^[\w-]{43,}$/,
    nonce: /^[\w-]{43,}$/
  })
  t.notMatch(sent.href, sandbox.client.secret)
  const [cookie = ''] = begun.headers.getSetCookie()
  t.match(cookie, /^portal-signin-[\w-]{10}=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
  t.notMatch(cookie, sent.searchParams.get('state') ?? '', 'the cookie does not carry the state')
  const other = new URL((await visit('/auth/login')).headers.get('location') ?? '').searchParams
  for (const name of ['state', 'nonce', 'code_challenge'])
    t.not(other.get(name), sent.searchParams.get(name), `each attempt has its own ${name}`)
  const forged = await fetch(`${portal.url}/auth/login`, {
    redirect: 'manual',
    headers: {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example'
    }
  })
  t.equal(
    new URL(forged.headers.get('location') ?? '').searchParams.get('redirect_uri'),
    `${portal.url}/callback`,
    'what a caller claims of our address counts for nothing'
  )
})

t.test('an id known before signing in is worth nothing after it', async (t) => {
  const victim = new Browser(portal.url)
  const callback = await upToCallback(victim, sandbox, 'customer.user')
  const planted = await sessionOf(await signIn(portal.url, sandbox, 'partner.admin'))
  const finished = await visit(callback, `${await cookiesOf(victim)}; ${planted}`)
  t.equal(finished.headers.get('location'), '/')
  const line = finished.headers.getSetCookie().findLast((line) => line.startsWith('portal=')) ?? ''
  t.match(line, /^portal=[\w-]{49}\.[^;]+; Path=\/; HttpOnly; SameSite=Strict$/)
  const [fresh = ''] = line.split(';')
  t.not(fresh, planted)
  const { user } = (await (await visit(BOOTSTRAP, fresh)).json()) as Bootstrap
  t.equal(user.fullName, 'Chen Ueda')
  t.equal((await visit(BOOTSTRAP, planted)).status, 401, 'the planted session is gone')
})

t.test(
  'tabs that sign in at once share a session; a minute later, or as another, one gets a new one',
  async (t) => {
    const clock = { now: Date.now() }
    const timed = await startPortal(t, { startedSandbox: sandbox, clock: () => clock.now })
    const browser = new Browser(timed.url)
    const { jar } = browser
    const callbacks = [await upToCallback(browser, sandbox, 'customer.user')]
    // The authority knows by now who it is.
    for (const _tab of ['second', 'third']) {
      const begun = await jar.fetch(`${timed.url}/auth/login`)
      const answered = await jar.follow(begun, timed.url)
      callbacks.push(answered.headers.get('location') ?? '')
    }
    const finish = async () => {
      await jar.fetch(callbacks.shift() ?? '')
      return sessionOf(browser)
    }
    const first = await finish()
    clock.now += 59_999
    t.equal(await finish(), first, 'calls of the first tab go on')
    t.equal((await browser.call(BOOTSTRAP)).status, 200)
    clock.now += 1
    const later = await finish()
    t.not(later, first)
    t.equal((await visitsOf(timed)(BOOTSTRAP, first)).status, 401, 'the one before is gone')
    const other = new Browser(timed.url)
    const callback = await upToCallback(other, sandbox, 'partner.user')
    const finished = await visitsOf(timed)(callback, `${await cookiesOf(other)}; ${later}`)
    const line = finished.headers.getSetCookie().findLast((line) => line.startsWith('portal=')) ?? ''
    t.not(line.split(';')[0], later, 'another person never takes up a session')
    t.match(line, /^portal=[\w-]{49}\./)
  }
)

t.test('whatever session cookie comes, it is an unknown one at worst', async (t) => {
  const good = await sessionOf(await portal.as('customer.user'))
  const [id = '', signature = ''] = good.slice('portal='.length).split('.')
  const values = [
    '',
    'x',
    '.',
    'a.b',
    '%',
    '%E0%A4%A',
    '"x"',
    'x'.repeat(3000),
    id,
    `${id}.`,
    `.${signature}`,
    `${id}.${signature}x`,
    `${id.slice(0, -1)}.${signature}`,
    `${'A'.repeat(43)}.${signature}`
  ]
  for (const value of values) {
    for (const path of [BOOTSTRAP, PROJECTS])
      t.equal((await visit(path, `portal=${value}`)).status, 401, `${value.slice(0, 20)} ${path}`)
    const state = (await (await visit('/auth/session', `portal=${value}`)).json()) as SessionState
    t.strictSame(state, { authenticated: false, expires_in: 0, expired: true })
    t.match((await visit('/auth/login', `portal=${value}`)).headers.get('location'), sandbox.issuer)
  }
  t.equal((await visit(BOOTSTRAP, good)).status, 200)
})

t.test('the state of a session is told without prolonging it; renewing prolongs it', async (t) => {
  const clock = { now: Date.now() }
  const timed = await startPortal(t, { startedSandbox: sandbox, clock: () => clock.now })
  const browser = await timed.as('customer.user')
  const left = async () => (await browser.json<SessionState>('/auth/session')).expires_in
  t.equal(await left(), 1800)
  clock.now += 600_000
  t.equal(await left(), 1200)
  clock.now += 600_000
  t.strictSame(await browser.json('/auth/session'), { authenticated: true, expires_in: 600, expired: false })
  const renewed = await browser.call('/auth/session/renew', { method: 'POST' })
  t.strictSame(await renewed.json(), { authenticated: true, expires_in: 1800, expired: false })
  clock.now += 1_799_000
  t.equal(await left(), 1)
  clock.now += 1000
  t.strictSame(await browser.json('/auth/session'), { authenticated: false, expires_in: 0, expired: true })
  t.equal((await browser.call('/auth/session/renew', { method: 'POST' })).status, 401)
  t.equal((await browser.call(BOOTSTRAP)).status, 401)
})

t.test('using the portal prolongs a session, up to its absolute end', async (t) => {
  const clock = { now: Date.now() }
  const env = { SESSION_IDLE_SECONDS: '600', SESSION_ABSOLUTE_SECONDS: '1500' }
  const timed = await startPortal(t, { startedSandbox: sandbox, clock: () => clock.now, env })
  const browser = await timed.as('customer.user')
  const left = async () => (await browser.json<SessionState>('/auth/session')).expires_in
  clock.now += 500_000
  await browser.json(PROJECTS)
  t.equal(await left(), 600)
  clock.now += 500_000
  await browser.json(PROJECTS)
  t.equal(await left(), 500, 'the absolute end is nearer')
  await browser.call('/auth/session/renew', { method: 'POST' })
  t.equal(await left(), 500, 'and nothing moves it')
  clock.now += 500_000
  t.equal((await browser.call(PROJECTS)).status, 401)
})

t.test(
  'on https every cookie is bound to our host, and out of reach of scripts and plain http',
  async (t) => {
    const secure = await startPortal(t, {
      startedSandbox: sandbox,
      env: { PUBLIC_URL: 'https://portal.example.com', TRUST_PROXY: '127.0.0.1' }
    })
    const begun = await secure.app.inject({ url: '/auth/login', headers: { 'x-forwarded-proto': 'https' } })
    t.match(
      begun.headers['set-cookie'],
      /^__Host-portal-signin-[\w-]{10}=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/
    )
    t.match(begun.headers.location, 'redirect_uri=https%3A%2F%2Fportal.example.com%2Fcallback')
    t.match(begun.headers['strict-transport-security'], /max-age=31536000/)
  }
)

t.test('whoever brings no credentials is asked to sign in, whatever the method', async (t) => {
  const calls = [
    ['GET', PROJECTS],
    ['POST', '/api/v1/egress/telemetry'],
    ['PUT', '/api/v1/notifications/users/u-1'],
    ['PATCH', '/api/v2/management/projects/p-1'],
    ['DELETE', '/api/v2/management/projects/p-1']
  ] as const
  const cases: Record<string, string>[] = [{}, { cookie: 'theme=dark' }, { 'sec-fetch-site': 'cross-site' }]
  for (const [method, path] of calls) {
    for (const headers of cases) {
      const answer = await fetch(portal.url + path, { method, headers })
      const { type } = (await answer.json()) as { type: string }
      t.strictSame([answer.status, type], [401, 'urn:portal:problem:not_signed_in'], `${method} ${path}`)
      t.match(answer.headers.get('www-authenticate'), /^Bearer/)
    }
  }
  const forged = await fetch(portal.url + PROJECTS, {
    headers: { cookie: await sessionOf(await portal.as('customer.user')), 'sec-fetch-site': 'cross-site' }
  })
  t.equal(forged.status, 403, 'and a session still needs proof that it is our page')
})
