import { hash } from 'node:crypto'
import t from 'tap'
import type { Bootstrap } from '#shared/answers/portal.ts'
import type { SessionState } from '#shared/answers/session.ts'
import { Browser, signIn, startPortal, upToCallback } from '#test/support/portal.ts'
import { cookiesOf, leadsTo, sessionOf, visitsOf } from '../../support/visits.ts'

const BOOTSTRAP = '/api/portal/v1/bootstrap'
const ME = '/api/v2/management/myUser'

const portal = await startPortal(t)
const { sandbox } = portal
const visit = visitsOf(portal)
t.afterEach(() => sandbox.faults.clear())

t.test('logs the error of the authority for a wrong client secret', async (t) => {
  const otherPortal = await startPortal(t, {
    startedSandbox: sandbox,
    env: { OIDC_CLIENT_SECRET: 'another secret', OIDC_AUTHORIZATION_PARAMS: 'prompt=login&ui_locales=de' }
  })
  const browser = new Browser(otherPortal.url)
  const callback = await upToCallback(browser, sandbox, 'partner.user')
  const answer = await browser.jar.fetch(callback)
  await leadsTo(t, answer, '/signin-failed?reason=misconfigured', 'the callback')
  const line = otherPortal.logged.find((text) => text.includes('sign-in did not finish')) ?? '{}'
  t.match(JSON.parse(line), { by: 'authority', reason: 'invalid_client' })
  const pageParams = new URL(answer.headers.get('location') ?? '', otherPortal.url).searchParams
  t.match(Object.fromEntries(pageParams), {
    by: 'authority',
    request: JSON.parse(line).requestId ?? /^[\da-f-]{36}$/
  })
  const loginAnswer = await browser.call('/auth/login')
  const requestParams = new URL(loginAnswer.headers.get('location') ?? '').searchParams
  t.match(Object.fromEntries(requestParams), { prompt: 'login', ui_locales: 'de', response_type: 'code' })
})

t.test('redirects to the requested page after a sign-in, but never to another site', async (t) => {
  const cases: [requested: string | null, location: string][] = [
    [null, '/'],
    ['https://evil.example', '/'],
    ['/customers/c-1001?project=3&x=%2F#row', '/customers/c-1001?project=3&x=%2F#row']
  ]
  for (const [returnTo, location] of cases) {
    const browser = new Browser(portal.url)
    const callback = await upToCallback(browser, sandbox, 'partner.user', returnTo ?? '')
    t.equal((await browser.jar.fetch(callback)).headers.get('location'), location, String(returnTo))
    const repeatedLogin = await browser.call(`/auth/login?returnTo=${encodeURIComponent(returnTo ?? '')}`)
    t.equal(repeatedLogin.headers.get('location'), location, `${returnTo}, already signed in`)
  }
  const answer = await visit('/auth/login?returnTo=/a&returnTo=/b')
  t.match(answer.headers.get('location'), sandbox.issuer, 'ignores a duplicate returnTo')
})

t.test('sends state, nonce and PKCE to the authority', async (t) => {
  const answer = await visit('/auth/login?returnTo=/x')
  t.equal(answer.status, 302)
  t.equal(answer.headers.get('cache-control'), 'no-store')
  const authorityUrl = new URL(answer.headers.get('location') ?? '')
  t.match(Object.fromEntries(authorityUrl.searchParams), {
    client_id: sandbox.client.id,
    response_type: 'code',
    redirect_uri: `${portal.url}/callback`,
    scope: 'openid profile email offline_access ncp:read ncp:write',
    code_challenge_method: 'S256',
    code_challenge: /^[\w-]{43}$/,
    state: /^[\w-]{43,}$/,
    nonce: /^[\w-]{43,}$/
  })
  t.notMatch(authorityUrl.href, sandbox.client.secret)
  const [cookie = ''] = answer.headers.getSetCookie()
  t.match(cookie, /^portal-signin-[\w-]{10}=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
  t.notMatch(cookie, authorityUrl.searchParams.get('state') ?? '')
  const otherParams = new URL((await visit('/auth/login')).headers.get('location') ?? '').searchParams
  for (const name of ['state', 'nonce', 'code_challenge'])
    t.not(otherParams.get(name), authorityUrl.searchParams.get(name), `each attempt has its own ${name}`)
  const names = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
  const headers = { ...names, forwarded: 'host=evil.example' }
  const forgedAnswer = await fetch(`${portal.url}/auth/login`, { redirect: 'manual', headers })
  const { searchParams } = new URL(forgedAnswer.headers.get('location') ?? '')
  t.equal(searchParams.get('redirect_uri'), `${portal.url}/callback`, 'ignores forwarding headers')
})

t.test('a sign-in replaces the session id', async (t) => {
  const victim = new Browser(portal.url)
  const callback = await upToCallback(victim, sandbox, 'customer.user')
  const plantedCookie = await sessionOf(await signIn(portal.url, sandbox, 'partner.admin'))
  const callbackAnswer = await visit(callback, `${await cookiesOf(victim)}; ${plantedCookie}`)
  t.equal(callbackAnswer.headers.get('location'), '/')
  const line = callbackAnswer.headers.getSetCookie().findLast((line) => line.startsWith('portal=')) ?? ''
  t.match(line, /^portal=[\w-]{49}\.[^;]+; Path=\/; HttpOnly; SameSite=Strict$/)
  const [newCookie = ''] = line.split(';')
  t.not(newCookie, plantedCookie)
  const { user } = (await (await visit(BOOTSTRAP, newCookie)).json()) as Bootstrap
  t.equal(user.fullName, 'Chen Ueda')
  t.equal((await visit(BOOTSTRAP, plantedCookie)).status, 401)
})

t.test('renewals and user calls extend a session, but status and background calls do not', async (t) => {
  const clock = { now: Date.now() }
  const env = { SESSION_ABSOLUTE_SECONDS: '4000' }
  const timedPortal = await startPortal(t, { startedSandbox: sandbox, clock: () => clock.now, env })
  const browser = await timedPortal.as('customer.user')
  const secondsLeft = async () => (await browser.json<SessionState>('/auth/session')).expires_in
  const background = { headers: { 'x-portal-background': '1' } }
  t.equal(await secondsLeft(), 1800)
  clock.now += 600_000
  t.equal(await secondsLeft(), 1200)
  t.equal((await browser.call(ME, background)).status, 200)
  t.equal(sandbox.calls.at(-1)?.headers['x-portal-background'], undefined, 'does not forward the header')
  t.strictSame(await browser.json('/auth/session'), { authenticated: true, expires_in: 1200, expired: false })
  t.equal((await browser.call(ME)).status, 200)
  t.equal(await secondsLeft(), 1800)
  clock.now += 600_000
  const renewal = await browser.call('/auth/session/renew', { method: 'POST' })
  t.strictSame(await renewal.json(), { authenticated: true, expires_in: 1800, expired: false })
  clock.now += 1_799_000
  t.equal(await secondsLeft(), 1)
  await browser.call('/auth/session/renew', { method: 'POST' })
  t.equal(await secondsLeft(), 1001, 'not past the absolute limit')
  clock.now += 1_001_000
  t.strictSame(await browser.json('/auth/session'), { authenticated: false, expires_in: 0, expired: true })
  t.equal((await browser.call('/auth/session/renew', { method: 'POST' })).status, 401)
  t.equal((await browser.call(ME, background)).status, 401)
})

t.test('a person can sign in and out despite an unreadable session record', async (t) => {
  const { backend } = portal
  const withUnreadableRecord = async () => {
    const keyOf = async (browser: Browser) => {
      const [id = ''] = decodeURIComponent(await sessionOf(browser))
        .slice('portal='.length)
        .split('.')
      return hash('sha256', id, 'base64url')
    }
    const browser = await signIn(portal.url, sandbox, 'customer.user')
    const otherBrowser = await signIn(portal.url, sandbox, 'customer.user')
    const key = await keyOf(browser)
    const [record, otherRecord] = [await backend.read(key), await backend.read(await keyOf(otherBrowser))]
    if (!record || !otherRecord) throw new Error('nothing is stored')
    await backend.create(key, { ...record, tokens: otherRecord.tokens }, 60_000, [])
    return { browser, key, cookie: await sessionOf(browser) }
  }

  await t.test('treats the record as no session', async (t) => {
    const { browser } = await withUnreadableRecord()
    t.equal((await browser.call(BOOTSTRAP)).status, 401)
    t.match(await browser.json('/auth/session'), { authenticated: false })
    t.equal((await browser.call('/auth/logout/everywhere', { method: 'POST' })).status, 401)
  })

  await t.test('refuses a sign-out while the store fails, and keeps the session', async (t) => {
    const browser = await signIn(portal.url, sandbox, 'customer.user')
    const { read } = backend
    backend.read = () => Promise.reject(new Error('the store fails'))
    t.equal((await browser.call('/auth/logout', { method: 'POST' })).status, 503)
    backend.read = read
    t.equal((await browser.call(BOOTSTRAP)).status, 200)
  })

  await t.test('signing out removes the record and the cookie', async (t) => {
    const { browser, key, cookie } = await withUnreadableRecord()
    const answer = await browser.call('/auth/logout', { method: 'POST' })
    t.strictSame([answer.status, await answer.json()], [200, { redirect: `${portal.url}/signed-out` }])
    t.match(answer.headers.getSetCookie(), [/^portal=; Max-Age=0; Path=\/; .*HttpOnly; SameSite=Strict$/])
    t.strictSame(await backend.remove([key], { markedMs: 60_000 }), [])
    t.equal((await visit(BOOTSTRAP, cookie)).status, 401)
  })

  await t.test('signing in replaces the record', async (t) => {
    const { browser, key, cookie } = await withUnreadableRecord()
    const loginAnswer = await browser.call('/auth/login?returnTo=/x')
    const authorityAnswer = await browser.jar.follow(loginAnswer, portal.url)
    t.match(authorityAnswer.headers.get('location'), '/callback?')
    t.equal((await browser.jar.follow(authorityAnswer, portal.url)).headers.get('location'), '/x')
    t.equal((await browser.call(BOOTSTRAP)).status, 200)
    t.strictSame(await backend.remove([key], { markedMs: 60_000 }), [])
    t.equal((await visit(BOOTSTRAP, cookie)).status, 401)
  })
})
