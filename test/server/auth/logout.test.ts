import pino from 'pino'
import t from 'tap'
import { createSignOut } from '#server/auth/logout.ts'
import type { Session } from '#server/auth/sessions/store.ts'
import type { AuditEntry } from '#server/observability/audit.ts'
import { NOTABLE } from '#test/sandbox/seed/notable.ts'
import { Browser, freePort, signIn, startPortal } from '#test/support/portal.ts'
import { eventually } from '../../support/redis-server.ts'
import { sessionOf } from '../../support/visits.ts'

const BOOTSTRAP = '/api/portal/v1/bootstrap'
const PROJECTS = `/api/portal/v1/customers/${NOTABLE.northwind}/projects`

const portal = await startPortal(t)
const { sandbox } = portal
t.afterEach(() => sandbox.faults.clear())

const person = () => signIn(portal.url, sandbox, 'customer.user')
const signOut = (browser: Browser, headers = {}) => browser.call('/auth/logout', { method: 'POST', headers })
const statusWith = async (cookie: string, url = portal.url) =>
  (await fetch(url + BOOTSTRAP, { headers: { cookie, 'x-portal-csrf': '1' } })).status

t.test('ends the session at the gateway and at the authority', async (t) => {
  const browser = await person()
  t.equal((await browser.call('/auth/logout')).status, 404, 'a link or image cannot sign out')
  const cookie = await sessionOf(browser)
  const revokedBefore = sandbox.grants.revoked
  const answer = await signOut(browser)
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('cache-control'), 'no-store')
  t.strictSame(answer.headers.getSetCookie(), [
    'portal=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict'
  ])
  t.equal(answer.headers.get('clear-site-data'), '"cache"')
  const { redirect } = (await answer.json()) as { redirect: string }
  const address = new URL(redirect)
  t.equal(address.origin + address.pathname, `${sandbox.issuer}/session/end`)
  t.equal(address.searchParams.get('post_logout_redirect_uri'), `${portal.url}/signed-out`)
  t.match(address.searchParams.get('state'), /^[\w-]{20,}$/)
  t.equal(await statusWith(cookie), 401)
  t.equal((await browser.call(PROJECTS)).status, 401)
  await eventually(() => sandbox.grants.revoked > revokedBefore)
})

t.test('answers 200 to a sign-out without a session and to a repeated sign-out', async (t) => {
  const browser = await person()
  await signOut(browser)
  for (const visitor of [browser, new Browser(portal.url)]) {
    const answer = await signOut(visitor)
    t.equal(answer.status, 200)
    t.strictSame(await answer.json(), { redirect: `${portal.url}/signed-out` })
  }
})

t.test('signing out everywhere ends all and only the sessions of the person', async (t) => {
  const browsers = [await person(), await person(), await person()] as const
  const colleague = await signIn(portal.url, sandbox, 'customer.admin')
  const signOutEverywhere = (browser: Browser, headers = {}) =>
    browser.call('/auth/logout/everywhere', { method: 'POST', headers })
  t.equal((await signOutEverywhere(new Browser(portal.url))).status, 401)
  t.equal((await signOutEverywhere(browsers[0], { origin: 'https://evil.example' })).status, 403)
  const [liveCount, revokedBefore] = [await portal.backend.countLive(Date.now()), sandbox.grants.revoked]
  const answer = await signOutEverywhere(browsers[0])
  t.equal(answer.status, 200)
  t.match(await answer.json(), { redirect: `${sandbox.issuer}/session/end` })
  t.match(answer.headers.getSetCookie().at(-1), /^portal=; Max-Age=0;/)
  for (const browser of browsers) t.equal((await browser.call(BOOTSTRAP)).status, 401)
  t.equal(await portal.backend.countLive(Date.now()), liveCount - browsers.length)
  await eventually(() => sandbox.grants.revoked >= revokedBefore + browsers.length)
  t.equal((await colleague.call(BOOTSTRAP)).status, 200)
  t.equal((await (await person()).call(BOOTSTRAP)).status, 200, 'a later sign-in works')
})

t.test('ends the Remote host’s session with the token of the person', async (t) => {
  const remote = await startPortal(t, { startedSandbox: sandbox, env: { REMOTE_URL: sandbox.url } })
  const remoteCalls = () => sandbox.calls.filter(({ url }) => url === '/noproxy/bearer-logout')
  const browser = await signIn(remote.url, sandbox, 'customer.user')
  sandbox.calls.length = 0
  t.equal((await signOut(browser)).status, 200)
  await eventually(() => remoteCalls().length > 0)
  t.match(remoteCalls(), [{ method: 'POST', headers: { authorization: /^Bearer eyJ/, cookie: undefined } }])

  for (const fault of ['503', 'reset']) {
    sandbox.faults.set('remote', fault)
    const nextBrowser = await signIn(remote.url, sandbox, 'customer.user')
    const cookie = await sessionOf(nextBrowser)
    t.equal((await signOut(nextBrowser)).status, 200, `a Remote host with ${fault}`)
    t.equal(await statusWith(cookie, remote.url), 401)
  }
})

t.test('does not wait for the answer of the Remote host', async (t) => {
  const remote = await startPortal(t, { startedSandbox: sandbox, env: { REMOTE_URL: sandbox.url } })
  const browser = await signIn(remote.url, sandbox, 'customer.user')
  sandbox.faults.set('remote', 'slow:60000', 1)
  t.equal((await signOut(browser)).status, 200)
  t.notMatch(remote.logged.join(''), 'sign-out of the Remote host failed')
})

function signOutWith(revoke: () => Promise<boolean>, endSessionUrl: () => Promise<string | null>) {
  const [entries, pauses]: [AuditEntry[], number[]] = [[], []]
  const signOut = createSignOut({
    config: { ...portal.config, REMOTE_URL: undefined },
    sessions: { remove: async () => true },
    authority: { revoke, endSessionUrl },
    audit: (entry) => void entries.push(entry),
    log: pino({ level: 'silent' }),
    pause: async (ms) => void pauses.push(ms)
  })
  const session = { id: 'an id', tokens: {}, data: { user: { id: 'u-1' } } } as unknown as Session
  return { audited: entries, pauses, signOut: () => signOut(session) }
}

t.test('retries a failed revocation twice, then writes it to the audit log', async (t) => {
  let attempts = 0
  const noAddress = async () => null
  const recovery = signOutWith(async () => {
    attempts += 1
    if (attempts === 1) throw new Error('reset')
    return attempts === 3
  }, noAddress)
  await recovery.signOut()
  await eventually(() => attempts === 3)
  const failure = signOutWith(async () => false, noAddress)
  await failure.signOut()
  await eventually(() => failure.audited.length > 0)
  const outcome = 'revocation of the tokens failed'
  t.strictSame(failure.audited, [{ event: 'sign-out', userId: 'u-1', outcome }])
  t.strictSame(recovery.audited, [])
  t.equal(attempts, 3)
})

t.test('does not wait for an authority that hangs', async (t) => {
  const hangingSignOut = signOutWith(
    async () => true,
    () => new Promise(() => {})
  )
  t.equal(await hangingSignOut.signOut(), `${portal.url}/signed-out`)
  t.ok(hangingSignOut.pauses.every((ms) => ms < 1_000))
})

t.test('ends the session while the authority is unreachable', async (t) => {
  const ownPortal = await startPortal(t)
  const browser = await signIn(ownPortal.url, ownPortal.sandbox, 'customer.user')
  const cookie = await sessionOf(browser)
  await ownPortal.sandbox.stop()
  const answer = await signOut(browser)
  t.equal(answer.status, 200)
  t.equal(await statusWith(cookie, ownPortal.url), 401)
})

t.test('redirects to our own page if the authority was never reachable', async (t) => {
  const options = { startedSandbox: sandbox, backend: portal.backend, secrets: ['s'.repeat(32)] }
  const first = await startPortal(t, options)
  const browser = await signIn(first.url, sandbox, 'customer.user')
  const env = { OIDC_ISSUER: `http://localhost:${await freePort()}/oidc` }
  const second = await startPortal(t, { ...options, env })
  const answer = await signOut(new Browser(second.url, browser.jar))
  t.strictSame(await answer.json(), { redirect: `${second.url}/signed-out` })
  t.equal((await browser.call(BOOTSTRAP)).status, 401)
})

t.test('serves the logout frames and the support contact to anybody, without ending a session', async (t) => {
  const frames = ['https://one.example/out?x=1']
  const env = { LOGOUT_URLS: frames.join(), SUPPORT_PHONE: '+1 555 0100' }
  const portal = await startPortal(t, { startedSandbox: sandbox, env })
  const headers = { 'sec-fetch-site': 'same-origin' }
  const expected = { frames }
  t.same(await (await fetch(`${portal.url}/auth/logout/frames`, { headers })).json(), expected)
  const support = await (await fetch(`${portal.url}/auth/support`, { headers })).json()
  t.same(support, { phone: '+1 555 0100', email: null })
  const browser = await signIn(portal.url, sandbox, 'customer.user')
  t.same(await browser.json('/auth/logout/frames'), expected)
  t.equal((await browser.call(BOOTSTRAP)).status, 200)
})
